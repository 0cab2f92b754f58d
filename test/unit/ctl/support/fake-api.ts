import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the fake got. */
export interface SeenRequest {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON, or undefined without a body. */
  readonly body: unknown;
}

/** What the fake answers: a status (default 200) and a JSON body, or lines of a watch that then ends. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly lines?: readonly unknown[];
}

/** Answers to `METHOD /path`; the value may look at the request. */
export type FakeRoutes = Record<string, FakeAnswer | ((request: SeenRequest) => FakeAnswer)>;

/** An API server for tests that answers from a table and remembers what it was asked. */
export class FakeApi {
  readonly requests: SeenRequest[] = [];
  readonly #routes: FakeRoutes;
  readonly #server: Server;

  private constructor(routes: FakeRoutes) {
    this.#routes = { ...discoveryRoutes, ...routes };
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(routes: FakeRoutes = {}): Promise<FakeApi> {
    const api = new FakeApi(routes);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests other than discovery. */
  get calls(): readonly string[] {
    return this.requests
      .filter(({ path }) => !Object.hasOwn(discoveryRoutes, `GET ${path}`))
      .map(({ method, path }) => `${method} ${path}`);
  }

  /** The last request of that kind. */
  last(method: string): SeenRequest {
    const found = this.requests.filter((request) => request.method === method).at(-1);
    if (found === undefined) throw new Error(`no ${method} request was made`);
    return found;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const url = new URL(incoming.url ?? '/', 'http://fake');
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.requests.push(request);
    const route = this.#routes[`${request.method} ${request.path}`];
    const answer = typeof route === 'function' ? route(request) : (route ?? notFoundAnswer(request.path));
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    if (answer.lines === undefined) response.end(JSON.stringify(answer.body ?? {}));
    else response.end(answer.lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

/** A failure as the API words it. */
export function failure(code: number, reason: string, message: string, details?: object): FakeAnswer {
  return {
    status: code,
    body: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      code,
      ...(details && { details }),
    },
  };
}

function notFoundAnswer(path: string): FakeAnswer {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return failure(404, 'NotFound', `pods "${name}" not found`, { name, kind: 'pods' });
}

/** A pod as the fake's routes use it. */
export function pod(name: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '7',
      ...(more.metadata as object),
    },
    spec: { containers: [{ name: 'c', image: 'x:1' }] },
  };
}

/** A table of pods with two columns, one of them wide. */
export function podTable(
  ...pods: readonly (readonly [name: string, ready: string])[]
): Record<string, unknown> {
  return {
    kind: 'Table',
    apiVersion: 'meta.orch.io/v1',
    metadata: { resourceVersion: '100' },
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      { name: 'Ready', type: 'string', format: '', priority: 0 },
      { name: 'Node', type: 'string', format: '', priority: 1 },
    ],
    rows: pods.map(([name, ready]) => ({
      cells: [name, ready, 'n1'],
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.orch.io/v1',
        metadata: { name, namespace: 'default', resourceVersion: '7', labels: { app: name } },
      },
    })),
  };
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const resource = (name: string, kind: string, more: object = {}) => ({
  name,
  singularName: '',
  namespaced: true,
  kind,
  verbs,
  ...more,
});

const discoveryRoutes: FakeRoutes = {
  'GET /openapi/v3': { status: 404, body: {} },
  'GET /openapi/v2': { body: { swagger: '2.0', definitions: {} } },
  'GET /api': { body: { kind: 'APIVersions', versions: ['v1'] } },
  'GET /apis': {
    body: {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [
        group('apps', 'apps/v1'),
        group('events.orch.io', 'events.orch.io/v1', 'events.orch.io/v1beta1'),
        group('batch', 'batch/v1', 'batch/v1beta1'),
      ],
    },
  },
  'GET /api/v1': {
    body: {
      groupVersion: 'v1',
      resources: [
        resource('events', 'Event', { shortNames: ['ev'] }),
        resource('namespaces', 'Namespace', { namespaced: false, shortNames: ['ns'] }),
        resource('pods', 'Pod', { shortNames: ['po'], categories: ['all'] }),
        resource('pods/log', 'Pod', { verbs: ['get'] }),
        resource('configmaps', 'ConfigMap', { shortNames: ['cm'] }),
        resource('services', 'Service', { shortNames: ['svc'], categories: ['all'] }),
      ],
    },
  },
  'GET /apis/apps/v1': {
    body: {
      groupVersion: 'apps/v1',
      resources: [
        resource('deployments', 'Deployment', { shortNames: ['deploy'], categories: ['all'] }),
        resource('deployments/scale', 'Scale', {
          group: 'autoscaling',
          version: 'v1',
          verbs: ['get', 'patch'],
        }),
      ],
    },
  },
  'GET /apis/events.orch.io/v1': {
    body: {
      groupVersion: 'events.orch.io/v1',
      resources: [resource('events', 'Event', { shortNames: ['ev'] })],
    },
  },
  'GET /apis/events.orch.io/v1beta1': {
    body: { groupVersion: 'events.orch.io/v1beta1', resources: [resource('events', 'Event')] },
  },
  'GET /apis/batch/v1': { body: { groupVersion: 'batch/v1', resources: [resource('jobs', 'Job')] } },
  'GET /apis/batch/v1beta1': {
    body: {
      groupVersion: 'batch/v1beta1',
      resources: [resource('cronjobs', 'CronJob', { shortNames: ['cj'] })],
    },
  },
};

function group(name: string, ...versions: readonly string[]): object {
  const entries = versions.map((groupVersion) => ({ groupVersion, version: groupVersion.split('/')[1] }));
  return { name, versions: entries, preferredVersion: entries[0] };
}
