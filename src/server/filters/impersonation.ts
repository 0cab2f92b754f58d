import type { UserInfo } from '../../apis/kind-rules.ts';
import { decodeHeader } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { isDns1123Label, isDns1123Subdomain } from '../../machinery/formats/index.ts';
import { removeHeaders } from '../../net/http/index.ts';
import { decodeExtraKey, serviceAccountUser } from '../authentication/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../authorization/index.ts';
import type { Exchange, Filter } from '../request/exchange.ts';
import { respondInternalError } from '../request/respond.ts';
import { refusal } from './authorization.ts';

/** What the check of impersonation needs. */
export interface ImpersonationOptions {
  readonly dialect: Dialect;
  readonly authorizer: Authorizer;
}

/** One of the things that a request wants to be, as release 1.20 writes it in messages. */
interface Claim {
  readonly kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra';
  readonly name: string;
  readonly namespace: string;
  /** Of an extra value. */
  readonly key: string;
}

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';
const known: ReadonlySet<string> = new Set([`${prefix}user`, `${prefix}group`]);
const anonymous = 'system:anonymous';

/**
 * Lets users act as others whom they may impersonate. Source: the documentation page "Authenticating", user
 * impersonation.
 *
 * @throws StatusError 403 when the user may not be one of what the headers name; 400 for headers of later releases.
 */
export function impersonation(options: ImpersonationOptions): Filter {
  return (exchange, next) => {
    for (const name in exchange.request.headers) {
      if (name.startsWith(prefix)) return impersonate(exchange, next, options);
    }
    return next(exchange);
  };
}

async function impersonate(
  exchange: Exchange,
  next: (exchange: Exchange) => Promise<void>,
  { dialect, authorizer }: ImpersonationOptions,
): Promise<void> {
  requireKnownHeaders(exchange);
  const claims = readClaims(exchange);
  if (claims.length === 0) return next(exchange);
  if (!claims.some(({ kind }) => kind === 'User' || kind === 'ServiceAccount')) {
    const shown = claims.map((claim) => formatClaim(claim, dialect)).join(' ');
    const reason = `requested [${shown}] without impersonating a user`;
    return respondInternalError(exchange, reason);
  }
  for (const claim of claims) {
    const request = requestOf(claim, dialect);
    const { isAllowed, reason } = await authorizer.authorize({
      user: exchange.user,
      request,
      asker: exchange,
    });
    if (!isAllowed) throw refusal(exchange, { request, user: exchange.user }, reason);
  }
  exchange.user = userOf(claims);
  // Servers that the request is passed on to are told of the user by this one.
  removeHeaders(exchange.request, (name) => name.startsWith(prefix));
  return next(exchange);
}

/** Later releases know more of them: a request that counts on one must not run as if it was not there. */
function requireKnownHeaders({ request: { headers } }: Exchange): void {
  for (const name in headers) {
    if (!name.startsWith(prefix) || known.has(name) || name.startsWith(extraPrefix)) continue;
    throw badRequest(`the header ${name} is not supported`);
  }
}

/** The account whose user has this name; undefined for other users, also those of names that no account can have. */
function serviceAccountOf(user: string): Pick<Claim, 'namespace' | 'name'> | undefined {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(user) ?? [];
  const problems = [...isDns1123Label(namespace), ...isDns1123Subdomain(name)];
  return problems.length === 0 ? { namespace, name } : undefined;
}

/** What the headers ask for; they may stand there several times, each with one value. */
function readClaims({ request: { rawHeaders } }: Exchange): Claim[] {
  const claims: Claim[] = [];
  const add = (kind: Claim['kind'], name: string, more: Partial<Claim> = {}): void => {
    claims.push({ kind, name, namespace: '', key: '', ...more });
  };
  for (const [, value] of pairsOf(rawHeaders, `${prefix}user`)) {
    if (value === '' || claims.length > 0) continue; // the first one counts
    const account = serviceAccountOf(value);
    if (account === undefined) add('User', value);
    else add('ServiceAccount', account.name, account);
  }
  for (const [, value] of pairsOf(rawHeaders, `${prefix}group`)) add('Group', value);
  for (const [header, value] of pairsOf(rawHeaders, extraPrefix, true)) {
    add('UserExtra', value, { key: decodeExtraKey(header.slice(extraPrefix.length)) });
  }
  return claims;
}

function* pairsOf(
  rawHeaders: readonly string[],
  wanted: string,
  isPrefix = false,
): Generator<readonly [string, string]> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (isPrefix ? name.startsWith(wanted) : name === wanted)
      yield [name, decodeHeader(rawHeaders[at + 1] ?? '')];
  }
}

function formatClaim({ kind, name, namespace, key }: Claim, dialect: Dialect): string {
  const apiVersion = kind === 'UserExtra' ? `${dialect.group('authentication')}/v1` : '';
  return `{${[kind, namespace, name, '', apiVersion, '', key].join(' ')}}`;
}

function requestOf(
  { kind, name, namespace, key }: Claim,
  dialect: Dialect,
): AuthorizationQuestion['request'] {
  const resources = {
    User: 'users',
    ServiceAccount: 'serviceaccounts',
    Group: 'groups',
    UserExtra: 'userextras',
  };
  return {
    isResource: true,
    verb: 'impersonate',
    group: kind === 'UserExtra' ? dialect.group('authentication') : '',
    // Users, accounts and groups are asked for without one, which only webhooks see.
    version: kind === 'UserExtra' ? 'v1' : '',
    namespace,
    resource: resources[kind],
    subresource: key,
    name,
    path: '',
  };
}

/** Adds the group of all known users, or for the anonymous one that of all others, unless the request names such a group itself. */
function addStanding(name: string, groups: string[]): void {
  const [known, unknown] = ['system:authenticated', 'system:unauthenticated'] as const;
  if (groups.includes(unknown) || (name !== anonymous && groups.includes(known))) return;
  groups.push(name === anonymous ? unknown : known);
}

/** The user that the claims make; who names no group is in those that such users always are in. */
function userOf(claims: readonly Claim[]): UserInfo {
  const extra = new Map<string, readonly string[]>();
  const groups: string[] = [];
  let name = '';
  let usualGroups: readonly string[] = [];
  for (const claim of claims) {
    if (claim.kind === 'Group') groups.push(claim.name);
    else if (claim.kind === 'UserExtra') extra.set(claim.key, [...(extra.get(claim.key) ?? []), claim.name]);
    else if (claim.kind === 'User') name = claim.name;
    else {
      ({ name, groups: usualGroups } = serviceAccountUser(claim.namespace, claim.name));
    }
  }
  if (groups.length === 0) groups.push(...usualGroups);
  addStanding(name, groups);
  return { name, uid: '', groups, extra: Object.fromEntries(extra) };
}
