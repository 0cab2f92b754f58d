import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Logger } from '../../base/index.ts';
import { escapePath, escapeQuery } from '../../machinery/go-values/index.ts';
import { describeDialError } from '../../net/dial/index.ts';
import type { Callee } from '../callouts/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { respondText } from '../request/respond.ts';
import {
  bodyApart,
  isUpgradeRequest,
  packingHeaders,
  passUpgradeOn,
  proxiedHeaders,
  relayAnswer,
  sendBody,
  unpacked,
  upgradeAnswer,
  upgradeHeaders,
} from '../streaming/agent/index.ts';
import { identifyUser } from './identity-headers.ts';
import type { RemoteApi, RemoteApis } from './remote-apis.ts';
import type { RemoteClient } from './remote-client.ts';

/** What requests for other servers' groups are passed on with. */
export interface RemoteProxyOptions {
  readonly apis: RemoteApis;
  readonly client: RemoteClient;
  readonly logger: Logger;
}

/** How long the server of a group may take to say what it serves: clients ask all of them. Source: release 1.20. */
const discoveryTimeoutMs = 5000;

/** Passes requests on to the servers of other groups. */
export class RemoteProxy {
  readonly #options: RemoteProxyOptions;

  constructor(options: RemoteProxyOptions) {
    this.#options = options;
  }

  /** Whose a path is; undefined for what this server answers itself. */
  find(path: string): RemoteApi | undefined {
    if (this.#options.apis.isEmpty) return undefined;
    const [, root, first = '', second = ''] = path.split('/', 4);
    if (root === 'apis' && second !== '') return this.#options.apis.find(first, second);
    return root === 'api' && first !== '' ? this.#options.apis.find('', first) : undefined;
  }

  /**
   * Passes a request on, and its answer back, both as streams. What keeps it from being answered is told in plain text, as
   * release 1.20 does.
   */
  async handle(exchange: Exchange, api: RemoteApi): Promise<void> {
    if (!api.isAvailable) return respondText(exchange, 503, 'service unavailable\n');
    let callee: Callee;
    try {
      callee = this.#options.client.locate(api);
    } catch (error) {
      this.#options.logger.error('API service has no address', { apiService: api.name, error });
      return respondText(exchange, 503, 'service unavailable\n');
    }
    if (isUpgradeRequest(exchange)) await this.#upgrade(exchange, callee);
    else await this.#passOn(exchange, callee);
  }

  async #passOn(exchange: Exchange, callee: Callee): Promise<void> {
    const { request, method, signal } = exchange;
    const target = targetOf(exchange);
    const headers = identifyUser(proxiedHeaders(request), exchange.user);
    const packing = packingHeaders(headers, method);
    const sent = {
      method,
      target,
      headers: {
        ...headers,
        ...packing,
        'x-forwarded-host': callee.authority,
        'x-forwarded-proto': 'https',
        'x-forwarded-uri': exchange.path,
      },
    };
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const deadline = isDiscovery(exchange) ? AbortSignal.timeout(discoveryTimeoutMs) : undefined;
    let answer: IncomingMessage;
    try {
      answer = await this.#options.client.answer(callee, sent, {
        signal: deadline === undefined ? signal : AbortSignal.any([signal, deadline]),
        ...(hasBody && { send: (out: ClientRequest) => sendBody(request, out) }),
      });
    } catch (error) {
      signal.throwIfAborted();
      const cause = deadline?.aborted ? 'context deadline exceeded' : describeDialError(error, callee);
      return respondText(exchange, 503, `error trying to reach service: ${cause}\n`);
    }
    const origin = `https://${callee.authority}`;
    const site = { prefix: '', authority: callee.authority, requestHost: callee.authority, origin };
    await relayAnswer(exchange, packing === undefined ? bodyApart(answer) : unpacked(answer), site);
  }

  async #upgrade(exchange: Exchange, callee: Callee): Promise<void> {
    const headers = identifyUser(upgradeHeaders(exchange.request), exchange.user);
    const request = { method: exchange.method, target: targetOf(exchange), headers };
    try {
      const open = (signal: AbortSignal) => this.#options.client.open(callee, request, signal);
      const answer = await upgradeAnswer(open, exchange.signal);
      await passUpgradeOn(exchange, answer);
    } catch (error) {
      exchange.signal.throwIfAborted();
      if (exchange.response.headersSent) throw error;
      respondText(exchange, 503, `${describeDialError(error, callee)}\n`);
    }
  }
}

/** `/apis/GROUP/VERSION` itself. */
const isDiscovery = ({ path }: Exchange): boolean =>
  path.split('/').filter((part) => part !== '').length === 3;

/** Path and query as release 1.20 writes them anew: decoded and escaped again, parameters by name. */
function targetOf({ path, query }: Exchange): string {
  const parameters = [...query].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = parameters.map(([name, value]) => `${escapeQuery(name)}=${escapeQuery(value)}`).join('&');
  return escapePath(path) + (text === '' ? '' : `?${text}`);
}
