import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector, Pool } from 'undici';
import { asError } from '../../base/index.ts';
import type { WebhookTarget } from './webhook-target.ts';

type Undici = typeof import('undici');

/** Limits of what is kept open to those who are called. */
const limits = {
  /** Callees whose connections are kept; the one that was called longest ago gives way. */
  maxPools: 256,
  connectionsPerPool: 64,
  idleConnectionMs: 60_000,
};

/** Kept connections by callee: the same place, name and authorities share them. */
export class PoolTable {
  readonly #pools = new Map<string, Pool>();
  #undici: Promise<Undici> | undefined;

  /** The connections to a callee. The HTTP client is loaded at the first call: most servers never make one. */
  async poolFor(target: WebhookTarget): Promise<Pool> {
    // Loaded once, since calls that begin together would each wait for it otherwise.
    this.#undici ??= import('undici');
    const undici = await this.#undici;
    const key = `${target.origin} ${target.authorities ?? ''}`;
    const known = this.#pools.get(key);
    if (known !== undefined) this.#pools.delete(key);
    const pool = known ?? this.#open(undici, target);
    this.#pools.set(key, pool);
    this.#evict();
    return pool;
  }

  /** Ends all connections, calls under way included. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #open({ Pool }: Undici, target: WebhookTarget): Pool {
    return new Pool(target.origin, {
      connect: connectorTo(target),
      connections: limits.connectionsPerPool,
      keepAliveTimeout: limits.idleConnectionMs,
      allowH2: false,
      // Calls have one deadline for all that they do.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  #evict(): void {
    const [oldest] = this.#pools;
    if (this.#pools.size <= limits.maxPools || oldest === undefined) return;
    this.#pools.delete(oldest[0]);
    // Calls under way end as they would have; nobody waits for that.
    void oldest[1].close();
  }
}

/** Opens connections to a callee. A service is looked up for each, because it moves. */
function connectorTo({
  host,
  port,
  serverName,
  authorities,
  locate,
}: WebhookTarget): buildConnector.connector {
  return (_options, done) => {
    let place = { host, port };
    try {
      if (locate !== undefined) place = locate();
    } catch (error) {
      done(asError(error), null);
      return;
    }
    const socket = connectTls({
      ...place,
      // TLS sends no server name for an address, but checks the certificate for it.
      ...(isIP(serverName) > 0 ? {} : { servername: serverName }),
      ...(authorities === undefined ? {} : { ca: authorities }),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    });
    socket.setNoDelay(true);
    const fail = (error: Error): void => done(error, null);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      done(null, socket);
    });
  };
}
