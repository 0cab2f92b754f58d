import type { IncomingMessage } from 'node:http';
import { splice } from '../../../base/index.ts';
import { badRequest, otherFailure, type StatusError } from '../../../machinery/errors/index.ts';
import { describeDialError, formatAuthority } from '../../../net/dial/index.ts';
import { writeUpgradeHead } from '../../../net/http/index.ts';
import type { Exchange } from '../../request/exchange.ts';
import type { Backend } from './backend.ts';
import type { BackendClient } from './backend-client.ts';
import { answerHeaders, mentions, upgradeHeaders } from './forwarded-headers.ts';
import { relayBody } from './relay.ts';
import type { UpgradeAnswer } from './upgrade-answer.ts';

/** Redirects that are followed before giving up. Source: release 1.20. */
const maxRedirects = 9;
/** How long a refusal of the backend may take to be passed on. Source: release 1.20. */
const refusalTimeoutMs = 10_000;

/** Where an upgraded connection leads. */
export interface TunnelEnd {
  readonly backend: Backend;
  /** Path and query there. */
  readonly target: string;
  /** Whether redirects are followed, and whether they may lead to another host; never when left out. */
  readonly redirects?: { readonly mayChangeHost: boolean } | undefined;
}

/** True when a client asks for another protocol on its connection. */
export function isUpgradeRequest({ upgrade, request }: Exchange): boolean {
  return upgrade !== undefined && mentions(request.headers.connection, 'upgrade');
}

/**
 * Connects a client's upgraded connection with a backend, byte for byte, until both have closed it. An answer that does
 * not upgrade is passed on when it is a failure.
 *
 * @throws StatusError 400 for a request that asks for no other protocol, 500 when the backend is not reached, or
 * answers with neither an upgrade nor a failure
 */
export async function tunnel(exchange: Exchange, client: BackendClient, end: TunnelEnd): Promise<void> {
  if (!isUpgradeRequest(exchange)) throw badRequest('Upgrade request required');
  await passUpgradeOn(exchange, await connectWithRedirects(exchange, client, end));
}

/**
 * Passes on what a backend answered to a client that asked for another protocol.
 *
 * @throws StatusError 500 for an answer that neither upgrades nor refuses
 */
export async function passUpgradeOn(exchange: Exchange, answer: UpgradeAnswer): Promise<void> {
  if (answer.kind === 'answered') return passRefusalOn(exchange, answer.answer);
  const { upgrade, signal } = exchange;
  if (upgrade === undefined) throw new TypeError('nobody asked for another protocol');
  exchange.response.statusCode = 101; // for the log and the metrics
  exchange.audit?.noteUpgrade();
  writeUpgradeHead(upgrade, answer.head);
  if (upgrade.head.length > 0) answer.socket.write(upgrade.head);
  if (answer.first.length > 0) upgrade.socket.write(answer.first);
  await splice(upgrade.socket, answer.socket, { signal });
}

async function connectWithRedirects(
  exchange: Exchange,
  client: BackendClient,
  { backend: first, target: firstTarget, redirects }: TunnelEnd,
): Promise<UpgradeAnswer> {
  const given = upgradeHeaders(exchange.request);
  let { method } = exchange;
  let [backend, target] = [first, firstTarget];
  for (let count = 0; ; count++) {
    if (count > maxRedirects) throw failed(`too many redirects (${count})`);
    // Where redirects are followed, each place is asked by its own name. Source: release 1.20.
    const headers = redirects === undefined ? given : { ...given, host: formatAuthority(backend) };
    const answer = await connect(backend, client, { method, target, headers }, exchange.signal);
    if (redirects === undefined || answer.kind === 'upgraded' || answer.answer.statusCode !== 302)
      return answer;
    answer.answer.destroy();
    const { location } = answer.answer.headers;
    ({ backend, target } = nextPlace({ backend, target }, location));
    if (!redirects.mayChangeHost && backend.host !== first.host) {
      throw failed(`hostname mismatch: expected ${first.host}, found ${backend.host}`);
    }
    method = 'GET'; // RFC 7231, section 6.4.3
  }
}

async function connect(
  backend: Backend,
  client: BackendClient,
  request: Parameters<BackendClient['upgrade']>[1],
  signal: AbortSignal,
): Promise<UpgradeAnswer> {
  try {
    return await client.upgrade(backend, request, signal);
  } catch (error) {
    throw failed(`error dialing backend: ${describeDialError(error, backend)}`);
  }
}

/** @throws StatusError 500 for a redirect that leads nowhere. */
function nextPlace(
  { backend, target }: Pick<TunnelEnd, 'backend' | 'target'>,
  location: string | undefined,
): Pick<TunnelEnd, 'backend' | 'target'> {
  if (location === undefined || location === '') throw failed('302 response missing Location header');
  const base = `${backend.scheme}://${formatAuthority(backend)}${target}`;
  if (!URL.canParse(location, base)) throw failed(`malformed Location header: ${JSON.stringify(location)}`);
  const { protocol, hostname, port, pathname, search } = new URL(location, base);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    backend: {
      scheme,
      host,
      port: Number(port || (scheme === 'http' ? 80 : 443)),
      trust: backend.trust,
      ...(host === backend.host && backend.address !== undefined && { address: backend.address }),
    },
    target: `${pathname}${search}`,
  };
}

async function passRefusalOn(exchange: Exchange, answer: IncomingMessage): Promise<void> {
  const code = answer.statusCode ?? 0;
  if (code < 400) {
    answer.destroy();
    throw failed(`invalid upgrade response: status code ${code}`);
  }
  const { response } = exchange;
  const timer = setTimeout(() => response.destroy(), refusalTimeoutMs);
  try {
    response.writeHead(code, answer.statusMessage, { ...answerHeaders(answer), connection: 'close' });
    const end = await relayBody(answer, exchange);
    if (end === 'source-broke') response.destroy();
    else response.end();
  } finally {
    clearTimeout(timer);
  }
}

const failed = (message: string): StatusError => otherFailure(500, '', message);
