import type { ApiObject } from '../../machinery/meta/index.ts';
import { canonicalFromStorage, checkNames, recordOwners, updateObject } from '../../registry/index.ts';
import { managerName } from '../request/manager-name.ts';
import { checkHasNoUid, createByUpdate } from './create-by-update.ts';
import type { EndpointHandler } from './endpoint.ts';
import { readPatch } from './read-patch.ts';
import { subresourceRules } from './update.ts';
import { writeObject } from './write-object.ts';

/** PATCH of one object or of a subresource that carries the whole object. An applied configuration may create. */
export const handlePatch: EndpointHandler = async (exchange, endpoint) => {
  const { served } = endpoint;
  const { patch, isApply, isDryRun, fieldManager, fingerprint } = await readPatch(
    exchange,
    endpoint,
    served.kind,
  );
  const { namespace, name, subresource } = exchange.info;
  const manager = managerName(exchange, fieldManager);
  const finish = (object: ApiObject): ApiObject => {
    served.applyDefaults(object);
    checkNames(object, namespace, name);
    return object;
  };
  const created = (): ApiObject => {
    const object = patch(undefined);
    checkHasNoUid(object, exchange);
    return finish(object);
  };
  const result = await updateObject(served, {
    namespace,
    name,
    subresource,
    rules: subresourceRules(served.store.rules, subresource),
    transform({ old, copy }) {
      const object = finish(patch(canonicalFromStorage(served, copy())));
      if (!isApply) recordOwners(served, { live: old, object, manager });
      return object;
    },
    fingerprint: fingerprint && `${subresource}\n${fingerprint}`,
    createInstead: isApply && subresource === '' ? createByUpdate(exchange, endpoint, created) : undefined,
    options: { user: exchange.user, isDryRun },
  });
  await writeObject(exchange, endpoint, { code: result.wasCreated ? 201 : 200, stored: result.bytes });
};
