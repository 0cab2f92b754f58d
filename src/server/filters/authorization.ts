import { forbidden } from '../../machinery/errors/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../auth/authorizer.ts';
import type { Filter } from '../request/exchange.ts';

/**
 * Asks the authorizer whether the user may do what the request asks for.
 *
 * @throws StatusError 403 with release 1.20's wording.
 */
export function authorization(authorizer: Authorizer): Filter {
  return async (exchange, next) => {
    const answer = authorizer.authorize({ user: exchange.user, request: exchange.info });
    const decision = answer instanceof Promise ? await answer : answer;
    exchange.audit?.noteDecision(decision.isAllowed, decision.reason);
    if (!decision.isAllowed) throw refusal(exchange, decision.reason);
    await next(exchange);
  };
}

/** The error for a user who may not do something, with release 1.20's wording. */
export function refusal(
  exchange: Pick<AuthorizationQuestion, 'user'> & { readonly info: AuthorizationQuestion['request'] },
  reason: string,
): Error {
  const { info, user } = exchange;
  const tail = reason === '' ? '' : `: ${reason}`;
  const who = `User ${JSON.stringify(user.name)}`;
  if (!info.isResource) {
    return forbidden(
      { group: '', resource: '' },
      '',
      `${who} cannot ${info.verb} path "${info.path}"${tail}`,
    );
  }
  const { group, resource, subresource, namespace, name, verb } = info;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return forbidden(
    { group, resource },
    name,
    `${who} cannot ${verb} resource "${what}" in API group "${group}" ${where}${tail}`,
  );
}
