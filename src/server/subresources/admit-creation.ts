import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import { recordNewOwners } from '../../registry/index.ts';
import { admitValue } from '../handlers/admit-value.ts';
import type { NegotiatedEndpoint } from '../handlers/endpoint.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { managerName } from '../request/manager-name.ts';
import type { WriteQuery } from '../request/options.ts';

/**
 * Asks admission about an object that is created at a subresource, and stored nowhere. It has a record of owners all the same.
 *
 * @throws StatusError what admission refuses with.
 */
export async function admitCreation(
  exchange: Exchange,
  endpoint: NegotiatedEndpoint,
  { kind, object, query }: { kind: GroupVersionKind; object: ApiObject; query: WriteQuery },
): Promise<void> {
  const { context } = endpoint;
  recordNewOwners(context.fieldManager, {
    object,
    manager: managerName(exchange, query.fieldManager),
    nowMs: context.nowMs(),
  });
  const options = writeOptions(exchange, context, query);
  await admitValue(exchange, endpoint, { operation: 'CREATE', kind, object, options });
}
