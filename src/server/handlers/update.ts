import type { ApiObject } from '../../machinery/meta/index.ts';
import { checkNames, recordOwners, type UpdateRequest, updateObject } from '../../registry/index.ts';
import { readBody } from '../request/body.ts';
import { managerName } from '../request/manager-name.ts';
import { parseWriteQuery } from '../request/options.ts';
import { createByUpdate } from './create-by-update.ts';
import { decodeBytes } from './decode-body.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** PUT of one object or of a subresource that carries the whole object. */
export const handleUpdate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun, fieldManager } = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const { namespace, name, subresource } = exchange.info;
  const body = await readBody(exchange);
  const readObject = (): ApiObject => {
    const object = decodeBytes(exchange, context, served.kind, body);
    served.applyDefaults(object);
    checkNames(object, namespace, name);
    return object;
  };
  let first: ApiObject | undefined = readObject();
  const expectedUid = first.metadata.uid;
  // The registry uses up what it is given; only after a lost race it asks for the object again.
  const takeObject = (): ApiObject => {
    const object = first ?? readObject();
    first = undefined;
    return object;
  };
  const manager = managerName(exchange, fieldManager);
  const recorded = (live: ApiObject | undefined): ApiObject => {
    const object = takeObject();
    recordOwners(served, { live, object, manager });
    return object;
  };
  const mayCreate = subresource === '' && served.store.rules.allowsCreateOnUpdate === true;
  const result = await updateObject(served, {
    namespace,
    name,
    subresource,
    rules: subresourceRules(endpoint.served.store.rules, subresource),
    transform: ({ old }) => recorded(old),
    expectedUid,
    createInstead: mayCreate ? createByUpdate(exchange, endpoint, () => recorded(undefined)) : undefined,
    options: { user: exchange.user, isDryRun },
  });
  await writeObject(exchange, endpoint, { code: result.wasCreated ? 201 : 200, stored: result.bytes });
};

type Rules = UpdateRequest['rules'];

/** Rules of a way to write: the kind's own, its status's, or another subresource's. */
export function subresourceRules(
  rules: NonNullable<Rules> & {
    readonly status?: Rules;
    readonly subresources?: Readonly<Record<string, NonNullable<Rules>>>;
  },
  subresource: string,
): Rules {
  if (subresource === '') return rules;
  if (subresource === 'status') return rules.status ?? {};
  return rules.subresources?.[subresource] ?? {};
}
