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
    return sendLog(exchange, found.id, options, { runtime, clock });
  };
}

/** The head goes out before there is anything to show: a client that follows the log sees that it is connected. */
async function sendLog(
  exchange: AgentExchange,
  containerId: string,
  options: LogOptions,
  { runtime, clock }: Pick<ContainerLogsOptions, 'runtime' | 'clock'>,
): Promise<void> {
  const { response, signal } = exchange;
  const status = await runtime.containerStatus(containerId).catch(() => undefined);
  const path = status?.logPath ?? '';
  if (path === '') {
    return endChunked(exchange, 400, `failed to get log of container "${containerId}": there is none`);
  }
  response.writeHead(200, { 'Transfer-Encoding': 'chunked' });
  sendHead(response);
  try {
    await readLog({
      path,
      options,
      write: (bytes) => writeOut(response, bytes, signal),
      isRunning: async () => (await runtime.containerStatus(containerId))?.state === 'running',
      clock,
      signal,
    });
    response.end();
  } catch (error) {
    response.end(describeFailure(error, containerId));
  }
}

async function writeOut(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (response.write(bytes) || signal.aborted) return;
  await once(response, 'drain', { signal }).catch(() => undefined); // gone: the reader stops by itself
}

/** No path of the node is told. */
function describeFailure(error: unknown, containerId: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOENT' ? 'the log file is gone' : errorText(error);
  return `failed to read log of container "${containerId}": ${why}`;
}

function endChunked({ response }: AgentExchange, status: number, text: string): void {
  response.writeHead(status, { 'Transfer-Encoding': 'chunked' });
  response.end(text);
}
