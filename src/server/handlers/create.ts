import { createObject } from '../../registry/index.ts';
import { managerName } from '../request/manager-name.ts';
import { parseWriteQuery } from '../request/options.ts';
import type { EndpointHandler } from './endpoint.ts';
import { readObjectBody } from './read-object.ts';
import { writeObject } from './write-object.ts';
import { writeOptions } from './write-options.ts';

/** POST to a collection. */
export const handleCreate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun, fieldManager } = parseWriteQuery(exchange.query, 'CreateOptions', context.metaGroup);
  const body = await readObjectBody(exchange, context, served.kind);
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
