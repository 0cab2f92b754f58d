import { isJsonObject, type Steps } from '../../base/index.ts';
import {
  BodySyntaxError,
  decodeObject,
  describeTypeMetaFault,
  parseJson,
} from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
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
} from '../../machinery/patch/index.ts';
import {
  applyStrategicMergePatch,
  explainConversion,
  formatGo,
  parseStrategicMergePatch,
  scalarFault,
  UsedMembers,
  wrapIntegers,
} from '../../machinery/patch/strategic/index.ts';
import {
  formatGroupVersion,
  type GroupVersionKind,
  sortedKeys,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';

/** Formats of patches: RFC 6902, RFC 7396, and the strategic merge patch of the API. */
export type PatchFormat = 'json' | 'merge' | 'strategic';

/** Turns an object, which is not changed, into the patched one, decoded anew. @throws StatusError when that fails. */
export type Patch = (current: ApiObject) => Steps<ApiObject>;

/** What patches are compiled with. */
export interface PatchContext {
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
}

/**
 * Reads a patch of objects of a kind.
 *
 * @throws StatusError 400, 413 or 500 for bytes that are no such patch, whatever the object.
 */
export function compilePatch(
  { format, bytes }: { readonly format: PatchFormat; readonly bytes: Buffer },
  kind: GroupVersionKind,
  { catalog, dialect }: PatchContext,
): Patch {
  const patch = guarded(() => compilers[format](parseBody(bytes, format), catalog, kind));
  // What strategic patches give is converted without a look at what it says it is.
  const isConverted = format === 'strategic';
  const takesAny = catalog.kind(kind)?.isUnstructured === true;
  const decode = (patched: unknown): ApiObject => {
    const whole = takesAny ? readableAsAny(patched) : patched;
    const fault = isConverted ? undefined : describeTypeMetaFault(whole);
    if (fault !== undefined) throw misfit(patch.describeMisfit(whole, fault));
    const value = isConverted || takesAny ? whole : readable(patched);
    const refusal = (cause: string): Error => guarded(() => misfit(patch.describeMisfit(value, cause)));
    return decodeObject({ value, catalog, dialect, expected: kind, takesOtherVersions: takesAny, refusal });
  };
  return (current) => patched(patch, current, decode);
}

function* patched(
  patch: CompiledPatch,
  current: ApiObject,
  decode: (value: unknown) => ApiObject,
): Steps<ApiObject> {
  const value = guarded(() => patch.apply(current));
  yield;
  try {
    return decode(value);
  } catch (error) {
    const fitted = patch.fit?.(value) ?? value;
    if (fitted === value) throw error;
    return decode(fitted);
  }
}

/**
 * What release 1.20 reads of a patched document that says no version: it takes it for its internal form, whose fields have
 * other names, so that nothing is left of it.
 */
function readable(patched: unknown): unknown {
  if (!isJsonObject(patched) || patched.apiVersion) return patched;
  return patched.kind === undefined ? {} : { kind: patched.kind };
}

/** The same for a kind that takes any members: nothing is lost, and a document that cannot be read is shown sorted. */
const readableAsAny = (patched: unknown): unknown =>
  isJsonObject(patched) && (!patched.kind || describeTypeMetaFault(patched) !== undefined)
    ? withSortedKeys(patched)
    : patched;

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(sortedKeys(value).map((name) => [name, withSortedKeys(value[name])]));
}

/** A patch ready to be applied. */
interface CompiledPatch {
  /** The patched JSON. @throws PatchError */
  apply(current: ApiObject): unknown;
  /** What to say when the patched JSON is no object of the kind, for which the decoder gives the cause. */
  describeMisfit(value: unknown, cause: string): Misfit;
  /** The patched JSON that was refused as it can be read all the same; itself when it cannot. */
  fit?(value: unknown): unknown;
}

interface Misfit {
  /** The value that is shown as the wrong one. */
  readonly shown: string;
  readonly cause: string;
}

type Compile = (body: unknown, catalog: TypeCatalog, kind: GroupVersionKind) => CompiledPatch;

const compilers: Readonly<Record<PatchFormat, Compile>> = {
  json: compileJsonPatch,
  merge: compileMergePatch,
  strategic: compileStrategicMergePatch,
};

function compileJsonPatch(body: unknown): CompiledPatch {
  const operations = parseJsonPatch(body);
  return {
    apply: (current) => applyJsonPatch(current, operations),
    describeMisfit: describeJson,
  };
}

function compileMergePatch(body: unknown): CompiledPatch {
  // A list replaces the whole object, which then has no kind.
  if (Array.isArray(body)) {
    const apply = (): never => {
      throw misfit({
        shown: JSON.stringify(applyMergePatch(null, body)),
        cause: describeTypeMetaFault(body) ?? '',
      });
    };
    return { apply, describeMisfit: describeJson };
  }
  if (!isJsonObject(body)) throw noMergePatch();
  const patch = parseMergePatch(body);
  return {
    apply: (current) => applyMergePatch(current, patch),
    describeMisfit: describeJson,
  };
}

const describeJson = (value: unknown, cause: string): Misfit => ({ shown: JSON.stringify(value), cause });

/** The result keeps its kind whatever text the patch has there: release 1.20 converts it without looking at that. */
function compileStrategicMergePatch(
  body: unknown,
  catalog: TypeCatalog,
  kind: GroupVersionKind,
): CompiledPatch {
  const patch = parseStrategicMergePatch(body);
  const type = catalog.kind(kind);
  if (type === undefined) throw new RangeError(`no type for the served kind ${kind.kind}`);
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  let used = new UsedMembers();
  const misfitFor = (cause: string): Misfit => ({ shown: formatGo(used.without(patch)), cause });
  return {
    apply(current) {
      used = new UsedMembers();
      const patched = applyStrategicMergePatch(current, patch, type, catalog, used);
      const cause = typeMetaFault(patched);
      if (cause !== undefined) throw misfit(misfitFor(cause));
      return { ...patched, kind: kind.kind, apiVersion };
    },
    describeMisfit: (value, decodeMessage) =>
      misfitFor(explainConversion({ value, type, catalog, decodeMessage })),
    fit: (value) => wrapIntegers(value, type, catalog),
  };
}

/** Why kind and version are no texts; undefined when they are, or are not there. */
function typeMetaFault({ kind, apiVersion }: Record<string, unknown>): string | undefined {
  return scalarFault(kind ?? '', 'string') ?? scalarFault(apiVersion ?? '', 'string');
}

const misfit = ({ shown, cause }: Misfit): Error =>
  invalid({ group: '', kind: '' }, '', [invalidValue(fieldPath('patch'), shown, cause)]);

/** A larger patch is decoded as a whole first by the release, which has other words when that fails. */
const plainPatchBytes = 1024 * 1024;

/** @throws StatusError 400, for merge patches 500, with release 1.20's text for a body that is not JSON. */
function parseBody(body: Buffer, format: PatchFormat): unknown {
  const isLarge = format !== 'strategic' && body.length > plainPatchBytes;
  try {
    return parseJson(body, { beyondDoubles: format === 'strategic' ? 'refused' : 'kept' });
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    if (isLarge) throw badRequest(`error decoding patch: ${error.message}`);
    if (format === 'merge') throw noMergePatch();
    throw badRequest(format === 'strategic' ? describeStreamEnd(body, error.message) : error.message);
  }
}

/** Strategic merge patches are read as a stream, whose end has words of its own. */
function describeStreamEnd(body: Buffer, message: string): string {
  if (message !== 'unexpected end of JSON input') return message;
  return body.toString().trim() === '' ? 'EOF' : 'unexpected EOF';
}

const noMergePatch = (): Error => otherFailure(500, '', 'Invalid JSON Patch');

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
