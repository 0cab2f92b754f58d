import { conflict, forbidden } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { CreateInstead } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { StoredEndpoint } from './endpoint.ts';

/** Creation by a PUT or an applied configuration: the user needs the permission to create as well. */
export function createByUpdate(
  exchange: Exchange,
  { context }: Pick<StoredEndpoint, 'context'>,
  object: () => ApiObject,
): CreateInstead {
  const { info, user } = exchange;
  const { group, resource, name } = info;
  return {
    object,
    async authorize() {
      const request = { ...info, verb: 'create' };
      const { isAllowed, reason } = await context.authorizer.authorize({ user, request });
      if (!isAllowed) throw forbidden({ group, resource }, name, reason);
    },
  };
}

/** @throws StatusError 409 for a configuration that names a uid: there is no object that could have it. */
export function checkHasNoUid({ metadata }: ApiObject, { info }: Exchange): void {
  const { group, resource, name } = info;
  if (!metadata.uid) return;
  throw conflict(
    { group, resource },
    name,
    `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`,
  );
}
