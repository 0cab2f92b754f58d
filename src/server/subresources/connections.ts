import type { ServedSubresource } from '../../apis/resources/index.ts';
import type {
  NodeProxyOptions,
  Pod,
  PodExecOptions,
  PodPortForwardOptions,
} from '../../apis/types/core-v1.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import { type CompiledType, formatGroupVersion } from '../../machinery/schema/index.ts';
import { canonicalOf } from '../../registry/index.ts';
import { admitValue } from '../handlers/admit-value.ts';
import type { StoredEndpoint, SubresourceHandler } from '../handlers/endpoint.ts';
import { writeOptions } from '../handlers/write-options.ts';
import type { Exchange } from '../request/exchange.ts';
import { isTrue } from '../request/request-info.ts';
import { tunnel } from '../streaming/agent/index.ts';
import type { AgentAccess, FindAgent } from './agent-access.ts';
import { chooseContainer } from './choose-container.ts';
import { findObject } from './find-object.ts';

/** The fields of all kinds of options; those of the others are absent. */
export type ConnectOptions = Partial<PodExecOptions & PodPortForwardOptions & NodeProxyOptions>;

/** Connects a client as options of the subresource's kind say: those of the request, as admission left them. */
export type ConnectHandler = (
  exchange: Exchange,
  endpoint: StoredEndpoint,
  subresource: ServedSubresource,
  options: ConnectOptions,
) => Promise<void>;

/** `pods/NAME/exec`, `attach` and `portforward`: a connection to the agent of the pod's node, handed through. */
export function podConnectionHandler(access: AgentAccess, findAgent: FindAgent): ConnectHandler {
  return async (exchange, { served }, { name: subresource }, options) => {
    const { namespace, name } = exchange.info;
    const pod = (await findObject(exchange, served)) as Pod; // stored under this resource
    const isForward = subresource === 'portforward';
    const container = isForward ? undefined : chooseContainer(pod, options.container ?? '');
    if (!pod.spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
    const backend = await findAgent(exchange, pod.spec.nodeName);
    const target = isForward
      ? `/portForward/${namespace}/${name}${portQuery(options)}`
      : `/${subresource}/${namespace}/${name}/${container}${streamQuery(options)}`;
    await tunnel(exchange, access.client, { backend, target, redirects: access.redirects });
  };
}

/** A handler of connections that asks admission first, which may change the options of the query. */
export function admitted(connect: ConnectHandler): SubresourceHandler {
  return async (exchange, endpoint, subresource) => {
    const { context } = endpoint;
    const type = context.catalog.kind(subresource);
    if (type === undefined) throw new RangeError(`no type for the served kind ${subresource.kind}`);
    const { group, version, kind } = subresource;
    const given = { kind, apiVersion: formatGroupVersion(group, version), ...optionsOf(exchange, type) };
    const object = canonicalOf({ type }, given);
    const options = writeOptions(exchange, context, { isDryRun: false });
    await admitValue(exchange, endpoint, { operation: 'CONNECT', kind: subresource, object, options });
    return connect(exchange, endpoint, subresource, object);
  };
}

/** The fields of an options kind from the query; the path of a proxied request is its own. */
function optionsOf(exchange: Exchange, { fields }: CompiledType): Record<string, unknown> {
  const { query } = exchange;
  const options: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const texts = query.getAll(name);
    if (name === 'path') options[name] = pathOf(exchange);
    else if (texts.length === 0) continue;
    else if (type === 'bool') options[name] = isTrue(texts[0] ?? '');
    else if (type === 'list<string>') options[name] = texts;
    else if (name === 'ports') options[name] = portsOf(query);
    else if (type === 'string') options[name] = texts[0];
  }
  return options;
}

/** The path that a request names at a proxied site, decoded: empty without one. */
export function pathOf({ path, info: { rest } }: Exchange): string {
  const end = path.endsWith('/') ? '/' : '';
  return rest.length === 0 ? end : `/${rest.join('/')}${end}`;
}

/** What the agent calls the streams that clients ask for. */
const streams = [
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['stderr', 'error'],
  ['tty', 'tty'],
] as const;

/** The query for an agent's `exec` and `attach`, with the question mark. The agent checks the combination. */
function streamQuery({ command, ...options }: ConnectOptions): string {
  const forAgent = new URLSearchParams();
  for (const [name, agentName] of streams) if (options[name] === true) forAgent.set(agentName, '1');
  for (const word of command ?? []) forAgent.append('command', word);
  return written(forAgent);
}

/** Ports of a query. @throws StatusError 400 for what is no port. */
const portsOf = (query: URLSearchParams): number[] =>
  query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map(readPort);

/** The query for an agent's `portForward`. */
const portQuery = ({ ports = [] }: ConnectOptions): string =>
  ports.length === 0 ? '' : written(new URLSearchParams({ port: ports.join(',') }));

function readPort(text: string): number {
  const problem = !/^\d+$/.test(text)
    ? 'invalid syntax'
    : Number(text) > 65_535
      ? 'value out of range'
      : undefined;
  if (problem === undefined) return Number(text);
  throw badRequest(
    `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}

function written(query: URLSearchParams): string {
  query.sort();
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
