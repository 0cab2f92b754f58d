import { forbidden } from '../../machinery/errors/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../authorization/index.ts';
import type { Filter } from '../request/exchange.ts';
import { respondInternalError } from '../request/respond.ts';
import { withSelectedName } from '../request/selected-name.ts';

/**
 * Asks the authorizer whether the user may do what the request asks for. Nobody who was not allowed comes in because
 * an authorizer failed: the answer is 500 then.
 *
 * @throws StatusError 403 with release 1.20's wording.
 */
export function authorization(authorizer: Authorizer): Filter {
  return async (exchange, next) => {
    const { user } = exchange;
    const request = withSelectedName(exchange);
    const answer = authorizer.authorize({ user, request, asker: exchange });
    const decision = answer instanceof Promise ? await answer : answer;
    exchange.audit?.noteDecision(decision);
    if (decision.isAllowed) return next(exchange);
    if (decision.error !== undefined) return respondInternalError(exchange, decision.error);
    throw refusal({ user, info: request }, decision.reason);
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
