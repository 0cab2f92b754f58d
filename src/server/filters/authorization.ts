import { forbidden, quoteGo, StatusError } from '../../machinery/errors/index.ts';
import { isPathSegmentName } from '../../machinery/formats/index.ts';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../authorization/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { parseListQuery } from '../request/options.ts';
import { hasPathVerb } from '../request/request-info.ts';
import { escapeHtml, respondInternalError } from '../request/respond.ts';

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
    throw refusal(exchange, { user, request }, decision.reason);
  };
}

/** Lists and watches of one object, by its name in the field selector, are asked about under that name. */
function withSelectedName({ info, query }: Exchange): AuthorizationQuestion['request'] {
  if (info.name !== '' || (info.verb !== 'list' && info.verb !== 'watch') || hasPathVerb(info)) return info;
  const selector = query.get('fieldSelector');
  if (selector?.includes('metadata.name') !== true) return info;
  const name = selectedName(query, selector);
  return isPathSegmentName(name).length === 0 ? { ...info, name } : info;
}

/** Empty, too, when any of the options cannot be read. */
function selectedName(query: URLSearchParams, selector: string): string {
  try {
    parseListQuery(query);
    parseLabelSelector(query.get('labelSelector') ?? '');
    return parseFieldSelector(selector).requiredValue('metadata.name') ?? '';
  } catch (error) {
    // Whoever is allowed to ask is told what is wrong with it.
    if (error instanceof SelectorError || error instanceof StatusError) return '';
    throw error;
  }
}

/**
 * The error for a user who may not do something, with release 1.20's wording. Browsers must not take the answer for anything
 * else (`nosniff`).
 */
export function refusal(
  { response }: Exchange,
  question: Pick<AuthorizationQuestion, 'user' | 'request'>,
  reason: string,
): Error {
  response.setHeader('x-content-type-options', 'nosniff');
  const { isResource, group, resource, name } = question.request;
  const tail = reason === '' ? '' : `: ${reason}`;
  const text = asFormat(`${escapeHtml(deniedAction(question))}${tail}`);
  return isResource ? forbidden({ group, resource }, name, text) : forbidden(noResource, '', text);
}

const noResource = { group: '', resource: '' };

function deniedAction({ request, user }: Pick<AuthorizationQuestion, 'user' | 'request'>): string {
  const { isResource, path, group, resource, subresource, namespace, verb } = request;
  const who = `User ${quoteGo(user.name)}`;
  if (!isResource) return `${who} cannot ${verb} path ${quoteGo(path)}`;
  const what = quoteGo(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quoteGo(namespace)}`;
  return `${who} cannot ${verb} resource ${what} in API group ${quoteGo(group)} ${where}`;
}

/** Release 1.20 takes the text for a format that has no values: verbs in it say so. */
const asFormat = (text: string): string =>
  text.replace(/%[-+# 0]*\d*(?:\.\d*)?([\s\S]|$)/gu, (_all, verb: string) => {
    if (verb === '%') return '%';
    return verb === '' ? '%!(NOVERB)' : `%!${verb}(MISSING)`;
  });
