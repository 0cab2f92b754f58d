import { decodeBody } from '../../machinery/codec/index.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { type DeleteResult, deleteObject } from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import type { Exchange } from '../request/exchange.ts';
import { type DeleteBody, parseDeleteOptions } from '../request/options.ts';
import { respondStatus } from '../request/respond.ts';
import { bodyFormat } from './decode-body.ts';
import type { EndpointHandler, HandlerContext, StoredEndpoint } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** DELETE of one object. */
export const handleDelete: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const body = await readDeleteOptions(exchange, context);
  const { deleteOptions, isDryRun } = parseDeleteOptions(exchange.query, body, context.metaGroup);
  const { namespace, name } = exchange.info;
  const options = { user: exchange.user, isDryRun };
  const result = await deleteObject(served, { namespace, name, deleteOptions, options });
  // The older field asks to be told when dependents keep the object for a while.
  const isAccepted = !result.wasRemoved && deleteOptions.orphanDependents === false;
  writeDeleteResult(exchange, endpoint, result, isAccepted ? 202 : 200);
};

/** Answers with what a deletion gave. */
export function writeDeleteResult(
  exchange: Exchange,
  endpoint: StoredEndpoint,
  result: DeleteResult,
  code: number,
): void {
  if (result.kind === 'object') {
    writeObject(exchange, endpoint, { code, stored: result.bytes });
    return;
  }
  respondStatus(exchange, result.status);
}

/** `DeleteOptions` of a request's body; undefined without a body. @throws StatusError 400 or 415. */
export async function readDeleteOptions(
  exchange: Exchange,
  context: HandlerContext,
): Promise<DeleteBody | undefined> {
  const body = await readBody(exchange.request);
  if (body.length === 0) return undefined;
  const value = decodeBody(body, bodyFormat(exchange, context), 'DeleteOptions');
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(`decoded object cannot be converted to DeleteOptions`);
  }
  const type = context.catalog.type(`${context.dialect.unspell(context.metaGroup)}/v1.DeleteOptions`);
  try {
    return type.decode(value) as DeleteBody; // the catalog's type has these fields
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'the deletion options cannot be read');
  }
}
