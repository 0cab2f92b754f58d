import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Clock, errorText } from '../../../base/index.ts';
import { sendHead } from '../../../net/http/index.ts';
import type { RuntimeService } from '../../runtime/index.ts';
import type { AgentView } from '../agent-view.ts';
import type { AgentExchange, AgentHandler } from '../http/exchange.ts';
import { sendText } from '../http/respond.ts';
import { logContainer } from '../logs/log-container.ts';
import { type LogOptions, parseLogOptions } from '../logs/log-options.ts';
import { readLog } from '../logs/read-log.ts';
import { findContainerSpec } from './containers.ts';

/** Whom the handler asks. */
export interface ContainerLogsOptions {
  readonly view: AgentView;
  readonly runtime: Pick<RuntimeService, 'containerStatus'>;
  readonly clock: Clock;
}

const refusals = {
  undecodable: { status: 400, text: '{"message": "Unable to decode query."}' },
  invalid: { status: 422, text: '{"message": "Invalid request."}' },
} as const;

/** Sends the log of a container: `/containerLogs/NAMESPACE/POD/CONTAINER`. */
export function handleContainerLogs({ view, runtime, clock }: ContainerLogsOptions): AgentHandler {
  return async (exchange, { namespace = '', pod: podName = '', container = '' }) => {
    const options = parseLogOptions(exchange.query, clock.nowMs());
    if (typeof options === 'string') {
      const { status, text } = refusals[options];
      return sendText(exchange, status, text);
    }
    const pod = view.findPod(namespace, podName);
    if (pod === undefined) return sendText(exchange, 404, `pod "${podName}" does not exist`);
    if (findContainerSpec(pod, container) === undefined) {
      return sendText(exchange, 404, `container "${container}" not found in pod "${podName}"`);
    }
    const found = logContainer(pod, container, options);
    if ('problem' in found) return endChunked(exchange, 400, found.problem);
    return sendLog(exchange, found, options, { runtime, clock });
  };
}

/**
 * The head goes out before there is anything to show: a client that follows the log sees that it is connected. What comes
 * in the way then stands in place of the log, as in release 1.20.
 */
async function sendLog(
  exchange: AgentExchange,
  { id, statusId }: { readonly id: string; readonly statusId: string },
  options: LogOptions,
  { runtime, clock }: Pick<ContainerLogsOptions, 'runtime' | 'clock'>,
): Promise<void> {
  const { response, signal } = exchange;
  const status = await runtime.containerStatus(id).catch(() => undefined);
  const path = status?.logPath ?? '';
  response.writeHead(200, { 'Transfer-Encoding': 'chunked' });
  sendHead(response);
  try {
    if (path === '') throw new Error(`unable to retrieve container logs for ${statusId}`);
    await readLog({
      path,
      options,
      write: (bytes) => writeOut(response, bytes, signal),
      isRunning: async () => (await runtime.containerStatus(id))?.state === 'running',
      clock,
      signal,
    });
    response.end();
  } catch (error) {
    response.end(errorText(error));
  }
}

async function writeOut(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (response.write(bytes) || signal.aborted) return;
  await once(response, 'drain', { signal }).catch(() => undefined); // gone: the reader stops by itself
}

function endChunked({ response }: AgentExchange, status: number, text: string): void {
  response.writeHead(status, { 'Transfer-Encoding': 'chunked' });
  response.end(text);
}
