import { isIP } from 'node:net';
import type { UserInfo } from '../../apis/kind-rules.ts';
import { decodeHeader } from '../../base/index.ts';
import type { AnyRequest } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';

/*
 * Parts of the JSON of events. Every request has at least one event, so that parts are put together by hand, and those
 * that many requests share are kept.
 */

/** Texts made from others that come again and again, up to a number of them. */
class KeptTexts {
  readonly #make: (source: string) => string;
  readonly #texts = new Map<string, string>();

  constructor(make: (source: string) => string) {
    this.#make = make;
  }

  get(source: string): string {
    const known = this.#texts.get(source);
    if (known !== undefined) return known;
    const text = this.#make(source);
    // Clients choose what is kept here: what comes again is soon back.
    if (this.#texts.size >= maxKept) this.#texts.clear();
    if (source.length <= maxKeptLength) this.#texts.set(source, text);
    return text;
  }
}

const maxKept = 500;
const maxKeptLength = 1024;

/** Writes a text as a JSON string. */
export type Quote = (text: string) => string;

const quotePlain: Quote = (text) => `"${text}"`;
const quoteAny: Quote = (text) => JSON.stringify(text);
const quotePath = (target: string): Quote => (isPlain(target) ? quotePlain : quoteAny);

/** Nothing that JSON or a URL escapes. */
const isPlain = (text: string): boolean => /^[\w./:?=&,+~-]*$/.test(text);

/** What all events of a request have, whatever their stage. */
export interface RequestTexts {
  readonly id: string;
  /** Target, verb and user. */
  readonly request: string;
  /** Addresses and user agent. */
  readonly client: string;
  /** Writes parts of the path: they need escapes only where the whole target has some. */
  readonly quote: Quote;
}

/** @see RequestTexts */
export function textsOfRequest(
  { request, info, auditId }: Exchange,
  requester: UserInfo | undefined,
  peerAddress: string | undefined,
): RequestTexts {
  const target = request.url ?? '';
  const quote = quotePath(target);
  return {
    id: isPlain(auditId) ? quotePlain(auditId) : quoteAny(auditId),
    request: `,"requestURI":${quote(target)},"verb":${quoteOften(info.verb)},"user":${textOfUser(requester)}`,
    client: textOfAddresses(request, peerAddress) + textOfUserAgent(request),
    quote,
  };
}

const words = new KeptTexts(quoteAny);

/** A word that comes often, as a JSON string: a verb, a name of an annotation. */
export const quoteOften: Quote = (word) => words.get(word);

/** Users are few, and make many requests; most requests have an object of their own for them. */
const userTexts = new Map<string, { readonly user: UserInfo; readonly text: string }>();

/** A user as events have them, `{}` for none. */
export function textOfUser(user: UserInfo | undefined): string {
  if (user === undefined) return '{}';
  const known = userTexts.get(user.name);
  if (known !== undefined && isSame(known.user, user)) return known.text;
  const text = JSON.stringify(userOf(user));
  if (userTexts.size >= maxKept) userTexts.clear();
  if (text.length <= maxKeptLength) userTexts.set(user.name, { user, text });
  return text;
}

function isSame(known: UserInfo, user: UserInfo): boolean {
  if (known.uid !== user.uid || !(hasNone(known.extra) && hasNone(user.extra))) return false;
  const { groups } = user;
  if (known.groups.length !== groups.length) return false;
  for (let at = 0; at < groups.length; at++) if (groups[at] !== known.groups[at]) return false;
  return true;
}

function hasNone(extra: UserInfo['extra']): boolean {
  for (const _ in extra) return false;
  return true;
}

function userOf({ name, uid, groups, extra }: UserInfo): object {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const maxForwardedAddresses = 16;

/** Addresses that the request passed, as it says itself, and the one that it came from. Source: release 1.20. */
export function sourceAddresses(
  { headers }: AnyRequest,
  peerAddress: string | undefined,
): string[] | undefined {
  const addresses: string[] = [];
  const forwarded = headers['x-forwarded-for'];
  if (forwarded !== undefined) {
    const parts = String(forwarded).split(',', maxForwardedAddresses);
    addresses.push(...parts.map((text) => text.trim()).filter((text) => isIP(text) !== 0));
  }
  const real = headers['x-real-ip'];
  if (typeof real === 'string' && isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const peer = peerAddress?.startsWith('::ffff:') === true ? peerAddress.slice(7) : peerAddress;
  if (peer !== undefined && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses.length === 0 ? undefined : addresses;
}

function textOfAddresses(request: AnyRequest, peerAddress: string | undefined): string {
  const { headers } = request;
  const isDirect = headers['x-forwarded-for'] === undefined && headers['x-real-ip'] === undefined;
  if (isDirect && peerAddress !== undefined) return peerTexts.get(peerAddress);
  return formatAddresses(sourceAddresses(request, peerAddress));
}

const formatAddresses = (addresses: string[] | undefined): string =>
  addresses === undefined ? '' : `,"sourceIPs":${JSON.stringify(addresses)}`;

/** Of clients without a proxy. */
const peerTexts = new KeptTexts((peer) =>
  formatAddresses([peer.startsWith('::ffff:') ? peer.slice(7) : peer]),
);

/** Longer names of programs are cut. Source: release 1.20. */
const maxUserAgentLength = 1024;

function textOfUserAgent({ headers }: AnyRequest): string {
  const agent = headers['user-agent'];
  return agent === undefined ? '' : agentTexts.get(agent);
}

const agentTexts = new KeptTexts((agent) => {
  const isLong = agent.length > maxUserAgentLength;
  const shown = isLong ? `${agent.slice(0, maxUserAgentLength)}...TRUNCATED` : agent;
  return `,"userAgent":${JSON.stringify(decodeHeader(shown))}`;
});

let lastSecond = { second: 0, text: '' };

/** A time with the six digits of a `MicroTime`. Nearly all events are of the same second as the one before. */
export function microTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -4) };
  }
  return `${lastSecond.text}${fractions[Math.floor(ms) - second * 1000]}`;
}

/** End of a `MicroTime`, by milliseconds. */
const fractions = Array.from({ length: 1000 }, (_, ms) => `${String(ms).padStart(3, '0')}000Z`);
