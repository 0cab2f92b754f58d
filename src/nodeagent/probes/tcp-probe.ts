import { connect } from 'node:net';
import type { TCPSocketAction } from '../../apis/types/core-v1.ts';
import { findProbePort } from './handler-port.ts';
import { joinHostPort } from './host-port.ts';
import { describeNetworkFailure } from './network-failure.ts';
import type { HandlerResult, HandlerTarget } from './probe-handlers.ts';
import { type Attempt, isTimeout } from './timed-attempt.ts';

/** Connects to a port of a container and closes the connection. */
export async function probeTcp(
  action: TCPSocketAction,
  { container, podIp }: HandlerTarget,
  { signal }: Attempt,
): Promise<HandlerResult> {
  const host = action.host || (podIp ?? '');
  const port = findProbePort(action.port, container);
  try {
    await dial(host, port, signal);
    return { outcome: 'success', output: '' };
  } catch (error) {
    const output = isTimeout(signal)
      ? `dial tcp ${joinHostPort(host, port)}: i/o timeout`
      : describeNetworkFailure(error, host, port);
    return { outcome: 'failure', output };
  }
}

function dial(host: string, port: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: host === '' ? 'localhost' : host, port, signal });
  socket.once('connect', () => {
    resolve();
    socket.destroy();
  });
  socket.once('error', reject);
  return promise;
}
