import { decodeObject } from '../../machinery/codec/index.ts';
import { badRequest, otherFailure, requestEntityTooLarge } from '../../machinery/errors/index.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  PatchError,
  parseJsonPatch,
  parseMergePatch,
} from '../../machinery/patch/index.ts';
import { checkNames, fromStorageVersion, updateObject } from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { parseMediaType } from '../request/media-type.ts';
import { parseWriteQuery } from '../request/options.ts';
import type { EndpointHandler } from './endpoint.ts';
import { subresourceRules } from './update.ts';
import { writeObject } from './write-object.ts';

/** Turns an object's JSON into the patched one. @throws StatusError for a patch that does not apply. */
export type Patch = (current: unknown) => unknown;

/** PATCH of one object or of a subresource that carries the whole object: JSON patch and merge patch. */
export const handlePatch: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun } = parseWriteQuery(exchange.query, 'PatchOptions', context.metaGroup);
  const patch = await readPatch(exchange);
  const { namespace, name, subresource } = exchange.info;
  const result = await updateObject(served, {
    namespace,
    name,
    subresource,
    rules: subresourceRules(served.store.rules, subresource),
    transform(current) {
      const value = patch(fromStorageVersion(served, current));
      const { catalog, dialect } = context;
      const object = decodeObject({ value, catalog, dialect, expected: served.kind });
      served.applyDefaults(object);
      checkNames(object, namespace, name);
      return object;
    },
    options: { user: exchange.user, isDryRun },
  });
  writeObject(exchange, endpoint, { code: 200, stored: result.bytes });
};

/**
 * Reads the patch of a request.
 *
 * @throws StatusError 415 for other media types, 400 for a body that is no patch.
 */
export async function readPatch(exchange: Exchange): Promise<Patch> {
  const type = parseMediaType(exchange.request.headers['content-type'] ?? '')?.type;
  const compile = compilers[type ?? ''];
  if (compile === undefined)
    throw otherFailure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  const body = await readBody(exchange.request);
  const patch = guarded(() => compile(body));
  return (current) => guarded(() => patch(current));
}

/** Patches by media type: bytes to a function. */
const compilers: Readonly<Record<string, (body: Buffer) => Patch>> = {
  'application/json-patch+json': (body) => {
    const operations = parseJsonPatch(parseJson(body));
    return (current) => applyJsonPatch(current, operations);
  },
  'application/merge-patch+json': (body) => {
    const patch = parseMergePatch(parseJson(body));
    return (current) => applyMergePatch(current, patch);
  },
};

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'the patch is not JSON');
  }
}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.code === 'bad-patch') throw badRequest(error.message);
    if (error.code === 'too-many-operations') throw requestEntityTooLarge(error.message);
    throw otherFailure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}
