import { checkNames, fromStorageVersion, updateObject } from '../../registry/index.ts';
import { parseWriteQuery } from '../request/options.ts';
import type { EndpointHandler } from './endpoint.ts';
import { readPatch } from './read-patch.ts';
import { subresourceRules } from './update.ts';
import { writeObject } from './write-object.ts';

/** PATCH of one object or of a subresource that carries the whole object. */
export const handlePatch: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun } = parseWriteQuery(exchange.query, 'PatchOptions', context.metaGroup);
  const patch = await readPatch(exchange, context, served.kind);
  const { namespace, name, subresource } = exchange.info;
  const result = await updateObject(served, {
    namespace,
    name,
    subresource,
    rules: subresourceRules(served.store.rules, subresource),
    transform(current) {
      const object = patch(fromStorageVersion(served, current));
      served.applyDefaults(object);
      checkNames(object, namespace, name);
      return object;
    },
    options: { user: exchange.user, isDryRun },
  });
  writeObject(exchange, endpoint, { code: 200, stored: result.bytes });
};
