import { forbidden, internalError } from '../../machinery/errors/index.ts';
import { type Change, createObject, updateObject } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { managerName } from '../request/manager-name.ts';
import { parseWriteQuery, type WriteQuery } from '../request/options.ts';
import type { EndpointHandler, StoredEndpoint } from './endpoint.ts';
import { readObjectBody } from './read-object.ts';
import { readPatch } from './read-patch.ts';
import { writeObject } from './write-object.ts';
import { writeOptions } from './write-options.ts';

/** PUT of one object or of a subresource that carries the whole object. */
export const handleUpdate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const query = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const body = await readObjectBody(exchange, context, served.kind);
  await writeChange(exchange, endpoint, { ...query, change: { kind: 'replace', body } });
};

/** PATCH of one object or of a subresource that carries the whole object. An applied configuration may create. */
export const handlePatch: EndpointHandler = async (exchange, endpoint) =>
  writeChange(exchange, endpoint, await readPatch(exchange, endpoint));

async function writeChange(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  { change, isDryRun, fieldManager }: WriteQuery & { readonly change: Change },
): Promise<void> {
  const { info, audit } = exchange;
  const { namespace, name, subresource } = info;
  const { served } = endpoint;
  const { wasCreated, bytes, cached } = await updateObject(served, {
    namespace,
    name,
    subresource,
    change,
    manager: managerName(exchange, fieldManager),
    options: writeOptions(exchange, endpoint.context, { isDryRun, fieldManager }),
    onDecoded: audit && ((object) => audit.noteObject(object)),
    authorizeCreate: () => authorizeCreate(exchange, endpoint),
  });
  const code = wasCreated ? 201 : 200;
  await writeObject(exchange, endpoint, { code, stored: bytes, cached: served.reader && cached });
}

/** A PUT or an apply that creates an object needs the permission to create as well. @throws StatusError 403 */
export async function authorizeCreate(
  exchange: Pick<Exchange, 'info' | 'user' | 'signal'>,
  { context }: Pick<StoredEndpoint, 'context'>,
): Promise<void> {
  const { info, user } = exchange;
  const request = { ...info, verb: 'create' };
  const decision = await context.authorizer.authorize({ user, request, asker: exchange });
  if (decision.isAllowed) return;
  if (decision.error !== undefined) throw internalError(decision.error);
  const { group, resource, name } = info;
  throw forbidden({ group, resource }, name, decision.reason);
}

/** POST to a collection. */
export const handleCreate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const body = await readObjectBody(exchange, context, served.kind);
  const { isDryRun, fieldManager } = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const { info, audit } = exchange;
  const written = await createObject(served, {
    namespace: info.namespace,
    body,
    manager: managerName(exchange, fieldManager),
    options: writeOptions(exchange, context, { isDryRun, fieldManager }),
    onDecoded: audit && ((object) => audit.noteObject(object)),
  });
  // What is shown of it was not made yet where objects are read to be shown: the next reader finds it.
  const cached = served.reader && written.cached;
  await writeObject(exchange, endpoint, { code: 201, stored: written.bytes, cached });
};
