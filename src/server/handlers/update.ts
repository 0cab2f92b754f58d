import { checkNames, type UpdateRequest, updateObject } from '../../registry/index.ts';
import { parseWriteQuery } from '../request/options.ts';
import { readObject } from './decode-body.ts';
import type { EndpointHandler } from './endpoint.ts';
import { writeObject } from './write-object.ts';

/** PUT of one object or of a subresource that carries the whole object. */
export const handleUpdate: EndpointHandler = async (exchange, endpoint) => {
  const { served, context } = endpoint;
  const { isDryRun } = parseWriteQuery(exchange.query, 'UpdateOptions', context.metaGroup);
  const object = await readObject(exchange, context, served.kind);
  served.applyDefaults(object);
  const { namespace, name, subresource } = exchange.info;
  checkNames(object, namespace, name);
  const result = await updateObject(served, {
    namespace,
    name,
    subresource,
    rules: subresourceRules(endpoint.served.store.rules, subresource),
    // A lost race runs this again, and the registry uses up what it is given.
    transform: () => structuredClone(object),
    expectedUid: object.metadata.uid,
    createInstead: subresource === '' ? structuredClone(object) : undefined,
    options: { user: exchange.user, isDryRun },
  });
  writeObject(exchange, endpoint, { code: result.wasCreated ? 201 : 200, stored: result.bytes });
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
