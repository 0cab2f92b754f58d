import { forbidden } from '../../machinery/errors/index.ts';
import { isPathSegmentName } from '../../machinery/formats/index.ts';
import { parseFieldSelector, SelectorError } from '../../machinery/selectors/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../authorization/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { respondInternalError } from '../request/respond.ts';

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

/** Lists and watches of one object, by its name in the field selector, are asked about under that name. */
function withSelectedName({ info, query }: Exchange): AuthorizationQuestion['request'] {
  if (info.name !== '' || (info.verb !== 'list' && info.verb !== 'watch')) return info;
  const selector = query.get('fieldSelector');
  if (selector?.includes('metadata.name') !== true) return info;
  const name = selectedName(selector);
  return isPathSegmentName(name).length === 0 ? { ...info, name } : info;
}

function selectedName(selector: string): string {
  try {
    return parseFieldSelector(selector).requiredValue('metadata.name') ?? '';
  } catch (error) {
    // Whoever is allowed to ask is told what is wrong with it.
    if (error instanceof SelectorError) return '';
    throw error;
  }
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
