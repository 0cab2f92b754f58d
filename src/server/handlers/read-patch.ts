import { BodySyntaxError, decodeObject, parseJson } from '../../machinery/codec/index.ts';
import {
  badRequest,
  fieldPath,
  invalid,
  invalidValue,
  otherFailure,
  requestEntityTooLarge,
} from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  PatchError,
  parseJsonPatch,
  parseMergePatch,
  sortTouched,
} from '../../machinery/patch/index.ts';
import {
  applyStrategicMergePatch,
  explainConversion,
  formatGo,
  parseStrategicMergePatch,
} from '../../machinery/patch/strategic/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseMediaType } from '../request/media-type.ts';
import { type PatchQuery, parsePatchQuery } from '../request/options.ts';
import { applyMediaType, configurationFingerprint, readConfiguration } from './configuration.ts';
import type { HandlerContext, StoredEndpoint } from './endpoint.ts';

/**
 * Turns an object into the patched one, defaults left to the caller. Only a configuration to apply can do without an
 * object.
 *
 * @throws StatusError when the patch does not apply or the result is no object.
 */
export type Patch = (current: ApiObject | undefined) => ApiObject;

/** What a request says to change, as far as that does not depend on the object. */
export interface PatchRequest extends PatchQuery {
  /** True for a configuration to apply: it also creates, and the owners of fields are recorded in its result. */
  readonly isApply: boolean;
  readonly patch: Patch;
  /** Equal for requests that apply the same in the same way; other patches have none. */
  readonly fingerprint: string | undefined;
}

interface PatchFormat {
  readonly isApply: boolean;
  /** Undefined for a configuration to apply. */
  readonly compile: Compile | undefined;
}

/** What a patch is, by its media type. @throws StatusError 415 for others. */
export function patchFormat({ request }: Exchange, { store }: StoredEndpoint['served']): PatchFormat {
  const mediaType = parseMediaType(request.headers['content-type'] ?? '')?.type ?? '';
  const isApply = mediaType === applyMediaType && store.fieldManager !== undefined;
  const compile = compilers.get(mediaType);
  if (compile === undefined && !isApply)
    throw otherFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  return { isApply, compile };
}

/**
 * Reads the patch of a request for objects of a kind.
 *
 * @throws StatusError 415 for other media types, 422 for options that do not fit, 400 for a body that is no patch.
 */
export async function readPatch(
  exchange: Exchange,
  { context, served }: Pick<StoredEndpoint, 'context' | 'served'>,
  kind: GroupVersionKind,
): Promise<PatchRequest> {
  const { isApply, compile } = patchFormat(exchange, served);
  const body = await readBody(exchange);
  const query = parsePatchQuery(exchange.query, isApply, context.metaGroup);
  const patch =
    compile === undefined
      ? readConfiguration(body, { context, served, kind, query })
      : compiledPatch(
          guarded(() => compile(parseBody(body), context.catalog, kind)),
          context,
          kind,
        );
  const fingerprint = isApply ? configurationFingerprint(body, { kind, query }) : undefined;
  return { ...query, isApply, patch, fingerprint };
}

function compiledPatch(
  patch: CompiledPatch,
  { catalog, dialect }: Pick<HandlerContext, 'catalog' | 'dialect'>,
  kind: GroupVersionKind,
): Patch {
  return (current) => {
    if (current === undefined) throw new RangeError('a patch without an object');
    const value = guarded(() => patch.apply(current));
    const refusal = (cause: string): Error => guarded(() => misfit(patch.describeMisfit(value, cause)));
    return decodeObject({ value, catalog, dialect, expected: kind, refusal });
  };
}

/** A patch ready to be applied. */
interface CompiledPatch {
  /** The patched JSON. @throws PatchError */
  apply(current: ApiObject): unknown;
  /** What to say when the patched JSON is no object of the kind, for which the decoder gives the cause. */
  describeMisfit(value: unknown, cause: string): Misfit;
}

interface Misfit {
  /** The value that is shown as the wrong one. */
  readonly shown: string;
  readonly cause: string;
}

type Compile = (body: unknown, catalog: HandlerContext['catalog'], kind: GroupVersionKind) => CompiledPatch;

/** Patches by media type. */
const compilers: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['application/json-patch+json', compileJsonPatch],
  ['application/merge-patch+json', compileMergePatch],
  ['application/strategic-merge-patch+json', compileStrategicMergePatch],
]);

function compileJsonPatch(body: unknown): CompiledPatch {
  const operations = parseJsonPatch(body);
  return {
    apply: (current) => sortTouched(applyJsonPatch(current, operations), current),
    describeMisfit: describeJson,
  };
}

function compileMergePatch(body: unknown): CompiledPatch {
  const patch = parseMergePatch(body);
  return {
    apply: (current) => sortTouched(applyMergePatch(current, patch), current),
    describeMisfit: describeJson,
  };
}

const describeJson = (value: unknown, cause: string): Misfit => ({ shown: JSON.stringify(value), cause });

/** The result keeps its kind whatever the patch says: release 1.20 converts it without looking at that. */
function compileStrategicMergePatch(
  body: unknown,
  catalog: HandlerContext['catalog'],
  kind: GroupVersionKind,
): CompiledPatch {
  const patch = parseStrategicMergePatch(body);
  const type = catalog.kind(kind);
  if (type === undefined) throw new RangeError(`no type for the served kind ${kind.kind}`);
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  return {
    apply(current) {
      const patched = applyStrategicMergePatch(current, patch, type, catalog);
      return { ...patched, kind: kind.kind, apiVersion };
    },
    describeMisfit: (value, decodeMessage) => ({
      shown: formatGo(patch),
      cause: explainConversion({ value, type, catalog, decodeMessage }),
    }),
  };
}

const misfit = ({ shown, cause }: Misfit): Error =>
  invalid({ group: '', kind: '' }, '', [invalidValue(fieldPath('patch'), shown, cause)]);

/** @throws StatusError 400 with release 1.20's text for a body that is not JSON. */
function parseBody(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof BodySyntaxError) throw badRequest(error.message);
    throw error;
  }
}

/** Turns failures of patches into answers. */
function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    switch (error.code) {
      case 'bad-patch':
        throw badRequest(error.message);
      case 'too-many-operations':
        throw requestEntityTooLarge(error.message);
      case 'not-mergeable':
        throw otherFailure(500, '', error.message);
      default:
        throw otherFailure(
          422,
          'Invalid',
          'the server rejected our request due to an error in our request',
          {},
        );
    }
  }
}
