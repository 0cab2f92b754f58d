/**
 * `ctl port-forward`: listens on local ports and leads each connection to a port of a pod, until it is interrupted.
 */
import type { Server, Socket } from 'node:net';
import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { type ForwardedPod, openForwardedPod } from '../../client/remote-streams/index.ts';
import { userAgentOf } from '../client-version.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { watchInterrupt } from '../interrupt.ts';
import { attachablePod } from '../pods/attachable-pod.ts';
import { podPath } from '../pods/first-pod.ts';
import { resolveOne } from '../pods/resolve-one.ts';
import { checkRunningTimeout, runningTimeoutOption } from '../pods/running-timeout.ts';
import { explainStreamFailure } from '../remote/explain-failure.ts';
import { defineVerb } from '../verb.ts';
import { type ListenAddress, parseAddresses } from './addresses.ts';
import { forwardConnection } from './forward.ts';
import { listenOnPorts } from './listen.ts';
import { type PortPair, parsePortPair } from './ports.ts';
import { resolvePorts } from './resolve-ports.ts';

/** `ctl port-forward`. */
export const portForwardVerb = defineVerb({
  program: {
    name: 'ctl port-forward',
    summary: 'Lead local ports to those of a pod',
    usage: '(POD | TYPE/NAME) [LOCAL:]REMOTE... [flags]',
    description: [
      'Connections to the local ports are led to those of one pod: the one that is named, or one that belongs to the named object. Without a local port it has the number of the remote one; an empty one (`:80`) is any that is free.',
    ],
    options: [
      {
        name: 'address',
        type: 'strings',
        default: ['localhost'],
        section: 'Streams',
        help: 'Addresses to listen on: IP addresses, or localhost for 127.0.0.1 and ::1, of which one is enough.',
      },
      runningTimeoutOption('1m0s'),
    ],
    examples: [
      { command: 'ctl port-forward web-1 8080:80', does: 'lead the local port 8080 to port 80 of a pod' },
      {
        command: 'ctl port-forward service/web 8443:https',
        does: 'lead to a port of a pod behind a service',
      },
      {
        command: 'ctl port-forward deployment/web :80 9000',
        does: 'lead any free port to 80, and 9000 to 9000',
      },
    ],
  },
  async run(ctl, { options, args }) {
    const [word, ...texts] = args;
    if (word === undefined || texts.length === 0) {
      throw new UsageError('TYPE/NAME and list of ports are required for port-forward');
    }
    const timeoutMs = checkTimeout(options.podRunningTimeoutMs);
    const object = await resolveOne(ctl, word);
    const pod = await attachablePod(ctl, object, timeoutMs);
    const ports = resolvePorts(texts, object, pod);
    if (pod.status?.phase !== 'Running') {
      throw new CtlError(
        `unable to forward port because pod is not running. Current status=${pod.status?.phase ?? ''}`,
      );
    }
    const pairs = ports.map(parsePortPair);
    const addresses = parseAddresses(options.address);
    const forwarded = await openPod(ctl, pod);
    try {
      await forwardUntilEnd(ctl, forwarded, { pairs, addresses });
    } finally {
      forwarded.close();
    }
  },
});

/** Listens until it is interrupted. @throws CtlError when the connection to the pod is lost, or nothing can be listened on */
async function forwardUntilEnd(
  ctl: Ctl,
  forwarded: ForwardedPod,
  { pairs, addresses }: { readonly pairs: readonly PortPair[]; readonly addresses: readonly ListenAddress[] },
): Promise<void> {
  const sockets = new Set<Socket>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // looked at below
  const interrupt = watchInterrupt(ctl);
  let servers: readonly Server[] = [];
  try {
    servers = await listenOnPorts(ctl, pairs, addresses, (socket, pair) => {
      sockets.add(socket);
      const done = (): void => void sockets.delete(socket);
      forwardConnection(ctl.io, forwarded, { socket, pair }).then(done, failed.reject);
    });
    const lost = forwarded.closed.then(() => 'lost' as const);
    const end = await Promise.race([interrupt.came, lost, failed.promise]);
    if (end === 'lost') throw new CtlError('lost connection to pod');
  } finally {
    interrupt.stop();
    for (const server of servers) server.close();
    for (const socket of sockets) socket.destroy();
  }
}

async function openPod({ connection, dialect, io, trace }: Ctl, { metadata }: Pod): Promise<ForwardedPod> {
  try {
    return await openForwardedPod({
      connection: await connection(),
      dialect,
      trace: await trace(),
      userAgent: userAgentOf(dialect.spell('ctl')),
      path: podPath(metadata.namespace ?? '', metadata.name, 'portforward'),
      signal: io.signal,
    });
  } catch (thrown) {
    const error = explainStreamFailure(thrown, dialect);
    const why = errorText(error);
    throw new CtlError(`error upgrading connection: ${why}`, { cause: error });
  }
}

/** @throws UsageError as the client of release 1.20 does for this command alone. */
function checkTimeout(timeoutMs: number): number {
  try {
    return checkRunningTimeout(timeoutMs);
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}
