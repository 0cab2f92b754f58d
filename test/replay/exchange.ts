import type { KeyPair } from '../../src/server/pki/index.ts';
import type { AgentProcess } from './agent-process.ts';
import { type Answer, ask } from './ask.ts';
import { compareMetrics, type RecordedMetrics } from './exposition.ts';
import { differences } from './matching.ts';
import { converse } from './websocket-exchange.ts';

/** A request and what came back. */
export interface Exchange {
  readonly request: ExchangeRequest;
  readonly response: ExchangeResponse;
}

export interface ExchangeRequest {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string | null;
  readonly port?: 'secure' | 'readonly' | 'healthz' | 'plain-on-secure';
  readonly auth?: string;
  readonly cert?: string;
  /** Subprotocol of a websocket; empty: none. */
  readonly ws?: string;
  /** Channels and texts. */
  readonly send?: readonly (readonly [number, string])[];
  /** What of the body is not compared: a regular expression. */
  readonly drop?: string;
}

export interface ExchangeResponse {
  /** 0: nobody listened on the port, and nothing else was recorded. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** It was not recorded. */
  readonly bodyPresent?: true;
  readonly json?: unknown;
  /** Types in place of values. */
  readonly shape?: unknown;
  readonly metrics?: RecordedMetrics;
  /** Of each pod: its name, and fields of it and of its parts. */
  readonly pods?: readonly unknown[];
  /** Code that a websocket was closed with. */
  readonly close?: number;
  readonly channels?: Readonly<Record<string, string>>;
}

/** What recordings name otherwise. */
export interface ExchangePlaces {
  readonly agent: AgentProcess;
  readonly certificates: ReadonlyMap<string, KeyPair>;
  readonly podUid: string;
}

/** Nobody listens. */
const refused: Answer = { status: 0, headers: {}, body: '' };

const comparedHeaders = ['Content-Type', 'X-Content-Type-Options', 'Transfer-Encoding', 'Location'];

/** Sends the request and gives what is not as recorded. */
export async function playExchange(
  { request, response }: Exchange,
  places: ExchangePlaces,
): Promise<readonly string[]> {
  const path = request.path.replace('{poduid}', places.podUid);
  if (request.ws !== undefined) return converse({ ...request, path }, response, places.agent);
  const answer = await ask({ ...request, path }, places).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return refused;
    throw error;
  });
  if (response.status === 0 || answer === refused) {
    return differences(response.status, answer.status, [], '/status');
  }
  const problems = differences(response.status, answer.status, [], '/status');
  const isLong = isListing(request, response); // of another folder than the recorded one, which is shorter
  for (const name of comparedHeaders) {
    if (isLong && name === 'Transfer-Encoding') continue;
    const shown = answer.headers[name.toLowerCase()];
    problems.push(...differences(response.headers[name], shown, [], `/headers/${name}`));
  }
  if (problems.length > 0) return [...problems, `the body is ${answer.body.slice(0, 300)}`];
  return compareBody(request, response, answer, places.agent);
}

function compareBody(
  request: ExchangeRequest,
  response: ExchangeResponse,
  { body }: Answer,
  agent: AgentProcess,
): readonly string[] {
  if (response.bodyPresent) return body === '' ? ['/body: is empty'] : [];
  if (response.metrics !== undefined) return compareMetrics(response.metrics, body);
  if (response.json !== undefined) {
    const inOrder = request.path.startsWith('/runningpods') ? sortContainers : <T>(json: T): T => json;
    const expected = inOrder(expectedJson(response.json, agent));
    return differences(expected, inOrder(shownJson(body)), [], '/json');
  }
  if (response.shape !== undefined) {
    const shape = (value: unknown): unknown => JSON.parse(JSON.stringify(value, dropUnsteady));
    return differences(shape(response.shape), shape(shapeOf(parse(body))), [], '/shape');
  }
  if (response.pods !== undefined) return differences(response.pods, outlinePods(body), [], '/pods');
  const expected = response.body ?? '';
  const { drop } = request;
  const shown = drop === undefined ? body : body.replace(new RegExp(drop, 'g'), '<value>');
  if (isListing(request, response)) return compareListing(expected, shown);
  return differences(expected, shown, [], '/body');
}

/** Bodies are parsed where recordings say that they are JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** An agent's configuration names its ports and places. */
function expectedJson(json: unknown, agent: AgentProcess): unknown {
  const { nodeagentconfig: config } = json as { nodeagentconfig?: object }; // bodies that are compared so are objects
  if (config === undefined) return json;
  const { secure, readOnly, healthz } = agent.ports;
  const own = {
    address: '127.0.0.1',
    port: secure,
    readOnlyPort: readOnly,
    healthzPort: healthz,
    cgroupRoot: agent.cgroup,
    staticPodPath: agent.manifests,
  };
  const text = JSON.stringify({ ...(json as object), nodeagentconfig: { ...config, ...own } });
  return JSON.parse(text.replaceAll('{tmp}', agent.folder));
}

/** Runtimes list what runs in any order. */
function sortContainers(json: unknown): unknown {
  const { items, ...rest } = json as {
    items: readonly { spec: { containers: readonly { name: string }[] } }[];
  }; // the path is of such
  const sorted = items.map((pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.toSorted((one, other) => one.name.localeCompare(other.name)),
    },
  }));
  return { ...rest, items: sorted };
}

/** Links to pods themselves are not recorded. */
function shownJson(body: string): unknown {
  return JSON.parse(body, (key, value: unknown) => (key === 'selfLink' ? undefined : value));
}

/** Types in place of values, of lists that of the first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null) return null;
  if (typeof value === 'boolean') return '<bool>';
  if (typeof value !== 'object') return `<${typeof value}>`;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

/** A rate is there once something was looked at twice; disks are those of the machine. */
function dropUnsteady(key: string, value: unknown): unknown {
  return key === 'usageNanoCores' || key === 'disk_map' ? undefined : value;
}

function outlinePods(body: string): unknown {
  // The path is of such.
  const { items } = JSON.parse(body) as {
    items: readonly { metadata: { name: string }; spec: object; status: object }[];
  };
  const keys = (value: object): readonly string[] => Object.keys(value).sort();
  return items.map((pod) => [
    pod.metadata.name,
    keys(pod),
    keys(pod.metadata),
    keys(pod.spec),
    keys(pod.status),
  ]);
}

const isListing = ({ path }: ExchangeRequest, { status }: ExchangeResponse): boolean =>
  path.startsWith('/logs/') && status === 200;

/** A folder of the machine: what the agent itself put there is listed, beside whatever else there is. */
function compareListing(expected: string, shown: string): readonly string[] {
  const isOwn = (line: string): boolean => !line.startsWith('<a ') || !/^<a href="default_/.test(line);
  const lines = shown.split('\n');
  const missing = expected
    .split('\n')
    .filter(isOwn)
    .filter((line) => !lines.some((each) => differences(line, each).length === 0));
  const strange = lines.filter((line) => !/^(<a href=("[^"]+"|<value>)>[^<]+<\/a>|<\/?pre>|)$/.test(line));
  return [
    ...missing.map((line) => `/body: ${line} is not listed`),
    ...strange.map((line) => `/body: ${line} is no line of a listing`),
  ];
}
