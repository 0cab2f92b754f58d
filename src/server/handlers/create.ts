import { createObject, recordOwners } from '../../registry/index.ts';
import { managerName } from '../request/manager-name.ts';
import { parseWriteQuery } from '../request/options.ts';
import { readObject } from './decode-body.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** POST to a collection. */
export const handleCreate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun, fieldManager } = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const object = await readObject(exchange, context, served.kind);
  served.applyDefaults(object);
  recordOwners(served, { live: undefined, object, manager: managerName(exchange, fieldManager) });
  const { namespace } = exchange.info;
  const options = { user: exchange.user, isDryRun };
  const written = await createObject(served, { namespace, object, options });
  await writeObject(exchange, endpoint, { code: 201, stored: written.bytes });
};
