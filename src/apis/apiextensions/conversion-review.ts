import { asJsonObject, isJsonObject, type JsonObject, setOwn } from '../../base/index.ts';
import { BodySyntaxError, decodeObjectBody, sortMembers } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, quoteGo } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { goTypeOfJson } from '../../machinery/patch/strategic/index.ts';
import {
  formatGroupVersion,
  formatKind,
  type GroupVersionKind,
  jsonKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';
import type { ConversionReview } from '../types/apiextensions-v1.ts';
import { deepEqual, validateAnnotations, validateLabels } from '../validation/index.ts';
import { decodeAnswer, namedKind } from '../webhook-answer.ts';

/** Versions of reviews that are spoken here, of which a definition's first one is taken. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** A batch of objects of one kind and version that a webhook is to convert. */
export interface ConversionBatch {
  readonly dialect: Dialect;
  readonly reviewVersion: ReviewVersion;
  /** Of the review; the answer repeats it. */
  readonly uid: string;
  /** What the objects are. */
  readonly from: GroupVersionKind;
  /** `group/version` that they are to have. */
  readonly desiredApiVersion: string;
  readonly objects: readonly ApiObject[];
}

/** An answer that cannot be taken; the message is release 1.20's, webhook and kind named. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  /** Without a kind the problem is all that is said. */
  constructor(from: GroupVersionKind | undefined, problem: string, options?: ErrorOptions) {
    super(from === undefined ? problem : `conversion webhook for ${formatKind(from)} ${problem}`, options);
  }
}

/**
 * The review of a batch as JSON, in the form in which release 1.20 sends it.
 */
export function writeConversionReview(batch: ConversionBatch): string {
  const { dialect, reviewVersion, uid, desiredApiVersion, objects } = batch;
  return JSON.stringify({
    kind: 'ConversionReview',
    apiVersion: formatGroupVersion(dialect.group('apiextensions'), reviewVersion),
    request: { uid, desiredAPIVersion: desiredApiVersion, objects: objects.map(sortMembers) },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  });
}

/**
 * The converted objects of an answer, in the order of the batch. What a webhook must not change is as it was: all
 * metadata but labels and annotations.
 *
 * @throws ConversionError for an answer that is no review, says no, or does not hold the objects of the batch.
 */
export function readConversionReview(
  bytes: Buffer,
  batch: ConversionBatch,
  catalog: TypeCatalog,
): ApiObject[] {
  const converted = convertedObjects(bytes, batch, catalog);
  const { objects, from } = batch;
  if (converted.length !== objects.length) {
    throw new ConversionError(from, `returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((original, index) => acceptObject(original, converted[index], index, batch));
}

function convertedObjects(bytes: Buffer, batch: ConversionBatch, catalog: TypeCatalog): unknown[] {
  const { from, uid, reviewVersion } = batch;
  const { response } = decodeReview(bytes, batch, catalog);
  const fail = (problem: string): never => {
    throw new ConversionError(from, `failed: ${problem}`);
  };
  if (response === undefined) return fail('no response provided');
  if (reviewVersion === 'v1' && response.uid !== uid) {
    return fail(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(response.uid)}`);
  }
  const { status = '', message = '' } = response.result;
  if (status !== 'Success') {
    return fail(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  }
  return response.convertedObjects ?? [];
}

function decodeReview(bytes: Buffer, batch: ConversionBatch, catalog: TypeCatalog): ConversionReview {
  const { from, dialect, reviewVersion: version } = batch;
  const expected = { group: dialect.group('apiextensions'), version, kind: 'ConversionReview' };
  const refusal = (cause: string): Error => new ConversionError(from, `failed: ${cause}`);
  let value: unknown;
  try {
    // Whatever media type the webhook names: what is no JSON may be YAML.
    const format = /^\s*\{/.test(bytes.toString('latin1', 0, 64)) ? 'json' : 'yaml';
    value = decodeObjectBody(bytes, format, { beyondDoubles: 'refused' });
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw refusal(error.message);
  }
  const named = namedKind(value);
  if (version === 'v1' && (named.kind === '' || named.version === '')) {
    throw refusal(`expected webhook response of ${formatKind(expected)}, got ${formatKind(named)}`);
  }
  // The catalog decodes to just this type.
  return decodeAnswer(value, { dialect, catalog, expected, refusal }) as unknown as ConversionReview;
}

/** @throws ConversionError when it is another object than `original`, or its metadata is none. */
function acceptObject(original: ApiObject, value: unknown, index: number, batch: ConversionBatch): ApiObject {
  const { from, desiredApiVersion } = batch;
  const converted = readObject(value);
  const fail = (problem: string): never => {
    throw new ConversionError(from, problem);
  };
  const apiVersion = textOrNothing(converted.apiVersion);
  const kind = textOrNothing(converted.kind);
  if (apiVersion !== desiredApiVersion) {
    const problem = `invalid groupVersion (expected ${desiredApiVersion}, received ${apiVersion})`;
    return fail(`returned invalid object at index ${index}: ${problem}`);
  }
  if (kind !== original.kind) {
    const problem = `invalid kind (expected ${original.kind}, received ${kind})`;
    return fail(`returned invalid object at index ${index}: ${problem}`);
  }
  const metadata = asJsonObject(converted.metadata);
  for (const [field, name] of identity) {
    const [before, after] = [original.metadata[field] ?? '', textOrNothing(metadata[field])];
    if (before !== after) {
      return fail(`returned invalid object: must have the same ${name}: ${before} != ${after}`);
    }
  }
  return {
    ...converted,
    apiVersion: desiredApiVersion,
    kind: original.kind,
    metadata: keepMetadata(original, metadata, from),
  };
}

/** @throws ConversionError for what is no object, or does not say of which kind it is. */
function readObject(value: unknown): JsonObject {
  const fail = (problem: string): never => {
    throw new ConversionError(undefined, problem);
  };
  if (value === null || value === undefined) return fail('EOF');
  if (!isJsonObject(value))
    return fail(`json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  const isNamed = textOrNothing(value.kind) !== '';
  if (!isNamed || parseGroupVersion(textOrNothing(value.apiVersion)) === undefined)
    return fail(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  return value;
}

/** Metadata that says which object it is, and how messages call it. */
const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

const textOrNothing = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The original's metadata with the labels and annotations of the converted object. */
function keepMetadata(
  original: ApiObject,
  converted: Record<string, unknown>,
  from: GroupVersionKind,
): ApiObject['metadata'] {
  const { labels: oldLabels, annotations: oldAnnotations, ...kept } = original.metadata;
  const labels = readTexts(converted.labels, 'labels', from);
  if (!deepEqual(labels, oldLabels)) refuseErrors(validateLabels(labels, metadataPath.child('labels')), from);
  const annotations = readTexts(converted.annotations, 'annotations', from);
  // The path is release 1.20's, which leaves out a letter here.
  if (!deepEqual(annotations, oldAnnotations))
    refuseErrors(validateAnnotations(annotations, metadataPath.child('annotation')), from);
  return {
    ...kept,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

const metadataPath = fieldPath('metadata');

/** @throws ConversionError for any error. */
function refuseErrors(errors: readonly FieldError[], from: GroupVersionKind): void {
  if (errors.length === 0) return;
  const texts = errors.map(String);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  throw new ConversionError(from, `returned invalid metadata: ${all}`);
}

/** @throws ConversionError for anything but texts by name. */
function readTexts(value: unknown, name: string, from: GroupVersionKind): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const fail = (problem: string): never => {
    throw new ConversionError(from, `returned invalid metadata: ${problem} in converted object`);
  };
  if (!isJsonObject(value)) return fail(`invalid metadata.${name} of type ${goTypeOfJson(value)}`);
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string')
      return fail(`metadata.${name}[${key}] must be a string, but is ${typeOfMember(text)}`);
    setOwn(texts, key, text);
  }
  return texts;
}

const typeOfMember = (value: unknown): string => (value === null ? '<nil>' : goTypeOfJson(value));
