import { createObject } from '../../registry/index.ts';
import { parseWriteQuery } from '../request/options.ts';
import { readObject } from './decode-body.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** POST to a collection. */
export const handleCreate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun } = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const object = await readObject(exchange, context, served.kind);
  served.applyDefaults(object);
  const { namespace } = exchange.info;
  const options = { user: exchange.user, isDryRun };
  const written = await createObject(served, { namespace, object, options });
  writeObject(exchange, endpoint, { code: 201, stored: written.bytes });
};
