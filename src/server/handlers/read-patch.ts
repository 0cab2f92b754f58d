import { takeSteps } from '../../base/index.ts';
import { otherFailure, type StatusError, unsupportedMediaType } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { type Change, compileConfiguration, compilePatch, type ServedKind } from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { parsePatchQuery, type WriteQuery } from '../request/options.ts';
import type { PatchBodyFormat, StoredEndpoint } from './endpoint.ts';

const formats: Readonly<Record<string, PatchBodyFormat>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/**
 * What a PATCH brings, by its media type, whose case matters.
 *
 * @throws StatusError 415 for others, 406 where nothing is brought: first, as release 1.20's router does, when the header
 * names none that is known, then when it is more than one name and its parameters.
 */
export function patchFormat({ request }: Exchange, { store, type }: ServedKind): PatchBodyFormat {
  const hasApply = store.fieldManager !== undefined;
  const hasStrategic = type.isUnstructured !== true;
  const formatOf = (name: string): PatchBodyFormat | undefined => {
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    const isUnfit = (format === 'apply' && !hasApply) || (format === 'strategic' && !hasStrategic);
    return isUnfit ? undefined : format;
  };
  const header = request.headers['content-type'] ?? '';
  const names = header.split(',').map((part) => part.split(';', 1)[0]?.replace(/^ +| +$/g, '') ?? '');
  // No router stands before unstructured kinds.
  if (hasStrategic && !names.some(formatOf)) throw unroutable(request);
  const format = formatOf(header.split(';', 1)[0] ?? '');
  if (format === undefined) throw unsupportedMediaType(Object.keys(formats).filter(formatOf));
  return format;
}

/** The router looks at what is accepted of nothing when it knows no length, or none. */
function unroutable({ headers }: Exchange['request']): StatusError {
  return Number(headers['content-length'] ?? 0) > 0
    ? otherFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
    : otherFailure(406, 'NotAcceptable', '406: Not Acceptable', {});
}

/** A PATCH: the change that it asks for, and its options. */
export interface PatchRequest extends WriteQuery {
  readonly change: Extract<Change, { kind: 'patch' | 'apply' }>;
}

/**
 * Reads the patch of a request.
 *
 * @throws StatusError 413; 422 for options that do not fit.
 */
export async function readPatch(
  exchange: Exchange,
  { context, patchFormat: format }: Pick<StoredEndpoint, 'context' | 'patchFormat'>,
): Promise<PatchRequest> {
  if (format === undefined) throw new RangeError('a patch whose format was not looked at');
  const bytes = await readBody(exchange);
  exchange.audit?.notePatch(bytes);
  const isApply = format === 'apply';
  const { isForced, ...query } = parsePatchQuery(exchange.query, isApply, context.metaGroup);
  const change: PatchRequest['change'] = isApply
    ? { kind: 'apply', bytes, isForced }
    : { kind: 'patch', format, bytes };
  return { ...query, change };
}

/**
 * The same for a subresource with a kind of its own: the result is the function that patches an object of that kind.
 *
 * @throws StatusError as `readPatch`; 400 for a body that is no patch.
 */
export async function readPatchOf(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  kind: GroupVersionKind,
): Promise<WriteQuery & { patch(current: ApiObject): ApiObject }> {
  const { change, ...query } = await readPatch(exchange, endpoint);
  // Such kinds are small.
  if (change.kind !== 'apply') {
    const patch = compilePatch(change, kind, endpoint.context);
    return { ...query, patch: (current) => takeSteps(patch(current)) };
  }
  const apply = compileConfiguration(endpoint.served, { ...change, kind, manager: query.fieldManager });
  return { ...query, patch: (current) => takeSteps(apply(current)) };
}
