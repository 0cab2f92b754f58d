import type { Pod } from '../../../apis/types/core-v1.ts';
import { errorText } from '../../../base/index.ts';
import { formatRuntimeFailure, isNotFound, type RuntimeService } from '../../runtime/index.ts';
import type { AgentView } from '../agent-view.ts';
import type { AgentExchange, AgentHandler, PathValues } from '../http/exchange.ts';
import { sendText } from '../http/respond.ts';
import { type RelayOptions, relay } from '../streams/relay.ts';
import { findContainerSpec, findRunningContainer } from './containers.ts';

/** The agent's view of its pods, the runtime, and how streams are relayed. */
export interface StreamHandlersOptions extends RelayOptions {
  readonly view: AgentView;
  readonly runtime: Pick<RuntimeService, 'execUrl' | 'attachUrl' | 'portForwardUrl'>;
  /** Whether clients are redirected to the runtime's streaming server instead of relayed. */
  readonly redirects: boolean;
}

/** Runs a command in a container, and relays its streams to the client. */
export function handleExec(options: StreamHandlersOptions): AgentHandler {
  return streamToContainer(options, (containerId, _pod, _name, streams, query) =>
    options.runtime.execUrl({ containerId, command: query.getAll('command'), ...streams }),
  );
}

/** Relays the streams of a container's main process; whether it has a terminal was decided at its creation. */
export function handleAttach(options: StreamHandlersOptions): AgentHandler {
  return streamToContainer(options, (containerId, pod, name, streams) => {
    const tty = findContainerSpec(pod, name)?.tty === true;
    return options.runtime.attachUrl({ containerId, ...streams, tty, stderr: streams.stderr && !tty });
  });
}

/** Carries connections to ports of a pod. */
export function handlePortForward(options: StreamHandlersOptions): AgentHandler {
  const { view, runtime } = options;
  return async (exchange, { namespace = '', pod: podName = '', uid }) => {
    const ports = isWebsocket(exchange) ? portsOf(exchange.query) : [];
    if (typeof ports === 'string') return sendText(exchange, 400, ports);
    const pod = view.findPod(namespace, podName);
    if (pod === undefined) return sendText(exchange, 404, 'pod does not exist');
    if (uid !== undefined && uid !== pod.metadata.uid) return sendText(exchange, 404, 'pod not found');
    return openStream(exchange, options, async () => {
      const podSandboxId = await view.findSandboxId(pod);
      if (podSandboxId === undefined) throw new Error(`pod not found ("${podName}_${namespace}")`);
      return runtime.portForwardUrl({ podSandboxId, ports });
    });
  };
}

type UrlOf = (
  containerId: string,
  pod: Pod,
  name: string,
  streams: StreamOptions,
  query: URLSearchParams,
) => Promise<string>;

function streamToContainer(options: StreamHandlersOptions, urlOf: UrlOf): AgentHandler {
  const { view } = options;
  return async (exchange, { namespace = '', pod: podName = '', container: name = '' }: PathValues) => {
    const streams = parseStreamOptions(exchange.query);
    if (streams === undefined) {
      return sendText(exchange, 400, 'you must specify at least 1 of stdin, stdout, stderr');
    }
    const pod = view.findPod(namespace, podName);
    if (pod === undefined) return sendText(exchange, 404, 'pod does not exist');
    return openStream(exchange, options, async () => {
      const { id } = await findRunningContainer(view, pod, name);
      return urlOf(id, pod, name, streams, exchange.query);
    });
  };
}

async function openStream(
  exchange: AgentExchange,
  options: StreamHandlersOptions,
  findUrl: () => Promise<string>,
): Promise<void> {
  let url: string;
  try {
    url = await findUrl();
  } catch (error) {
    return sendText(exchange, isNotFound(error) ? 404 : 500, formatRuntimeFailure(error));
  }
  if (!options.redirects) return relay(exchange, url, options);
  exchange.response.writeHead(302, { Location: url, 'Content-Length': 0 }).end();
  return undefined;
}

/** What is wrong with the ports, as text. */
function portsOf(query: URLSearchParams): readonly number[] | string {
  try {
    return parsePorts(query);
  } catch (error) {
    return errorText(error);
  }
}

function isWebsocket({ request, upgrade }: AgentExchange): boolean {
  return upgrade !== undefined && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The requested streams, and whether the command gets a terminal. */
interface StreamOptions {
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Undefined when no stream is requested. A terminal has no separate standard error. */
export function parseStreamOptions(query: URLSearchParams): StreamOptions | undefined {
  const isOn = (name: string): boolean => query.get(name) === '1';
  const tty = isOn('tty');
  const options = { tty, stdin: isOn('input'), stdout: isOn('output'), stderr: isOn('error') && !tty };
  return options.stdin || options.stdout || options.stderr ? options : undefined;
}

/**
 * Ports that a websocket forwards, as its query names them; other clients name theirs later.
 *
 * @throws RangeError for what is no port
 */
export function parsePorts(query: URLSearchParams): readonly number[] {
  const texts = query.getAll('port');
  if (texts.length === 0) throw new RangeError('query parameter "port" is required');
  return texts.flatMap((text) => text.split(',')).map(parsePort);
}

function parsePort(text: string): number {
  if (text === '') throw new RangeError('query parameter "port" cannot be empty');
  const port = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new RangeError(`unable to parse "${text}" as a port`);
  if (port < 1) throw new RangeError(`port "${text}" must be > 0`);
  return port;
}
