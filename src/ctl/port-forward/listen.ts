import type { Server, Socket } from 'node:net';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { describeListenError, joinHostPort } from '../listen-error.ts';
import type { ListenAddress } from './addresses.ts';
import type { PortPair } from './ports.ts';

/** Called with each connection; it reads nothing before it is resumed. */
export type OnConnection = (socket: Socket, pair: PortPair) => void;

/**
 * Listens on all ports at all addresses and says so.
 *
 * @throws CtlError when none of the ports can be listened on.
 */
export async function listenOnPorts(
  { io }: Pick<Ctl, 'io'>,
  pairs: readonly PortPair[],
  addresses: readonly ListenAddress[],
  onConnection: OnConnection,
): Promise<readonly Server[]> {
  const servers: Server[] = [];
  let listening = 0;
  const shown: string[] = [];
  for (const pair of pairs) {
    const listener = await listenOnPort({ io }, pair, addresses, onConnection);
    servers.push(...listener.servers);
    shown.push(`{${listener.local} ${pair.remote}}`);
    if (listener.problem === undefined) listening++;
    else io.stderr.write(`Unable to listen on port ${listener.local}: ${listener.problem}\n`);
  }
  if (listening > 0) return servers;
  for (const server of servers) server.close();
  throw new CtlError(`unable to listen on any of the requested ports: [${shown.join(' ')}]`);
}

interface PortListener {
  readonly servers: readonly Server[];
  /** The port that was taken when any was asked for. */
  readonly local: number;
  readonly problem: string | undefined;
}

/** The first address chooses a port when any will do; the others have to use the same. */
async function listenOnPort(
  { io }: Pick<Ctl, 'io'>,
  pair: PortPair,
  addresses: readonly ListenAddress[],
  onConnection: OnConnection,
): Promise<PortListener> {
  const servers: Server[] = [];
  const problems: string[] = [];
  let local = pair.local;
  const failed = { optional: 0, needed: 0 };
  let hasOptional = false;
  for (const { address, isOptional } of addresses) {
    try {
      const server = await listen(address, local, (socket) => onConnection(socket, { ...pair, local }));
      servers.push(server);
      local = portOf(server);
      hasOptional ||= isOptional;
      io.stdout.write(`Forwarding from ${joinHostPort({ host: address, port: local })} -> ${pair.remote}\n`);
    } catch (error) {
      failed[isOptional ? 'optional' : 'needed']++;
      const network = address.includes(':') ? 'tcp6' : 'tcp4';
      const problem = describeListenError(error, { network, host: address, port: local });
      problems.push(`unable to create listener: Error ${problem}`);
    }
  }
  const isFailure = failed.needed > 0 || (failed.optional > 0 && !hasOptional);
  const problem = `Listeners failed to create with the following errors: [${problems.join(' ')}]`;
  return { servers, local, problem: isFailure ? problem : undefined };
}

async function listen(host: string, port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const { createServer } = await import('node:net');
  // A client that has sent all may still want to read.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: host.includes(':') }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
