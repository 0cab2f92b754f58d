import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { StorageStats } from '../storage/index.ts';
import type { InFlightGauges } from './filters/in-flight.ts';
import type { Exchange, Filter } from './request/exchange.ts';
import type { RequestInfo } from './request/request-info.ts';

const latencyBucketsSeconds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const sizeBucketsBytes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const requestLabels = [
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'dry_run',
  'component',
] as const;

export interface MetricsSources {
  readonly storageStats: () => Promise<StorageStats>;
  /** Labels come from clients' paths: only a resource and subresource that are served may become ones. */
  readonly isServed: (info: RequestInfo) => boolean;
  /** Rejections in this process that nobody handled. */
  readonly unhandledRejections?: (() => number) | undefined;
  /** Stored objects by resource (`deployments.apps`). */
  readonly objectCounts: () => Iterable<readonly [resource: string, count: number]>;
}

/** The server's metrics, named as release 1.20 names them. */
export class ServerMetrics implements InFlightGauges {
  readonly registry = new Registry();
  readonly #requests: Counter;
  readonly #duration: Histogram;
  readonly #responseSizes: Histogram;
  readonly #inFlight: Gauge;
  readonly #longRunning: Gauge;
  readonly #watchers: Gauge;
  readonly #deprecated: Gauge;
  readonly #auditEvents: Counter;
  readonly #auditErrors: Counter;
  readonly #failures: Counter;
  readonly #closedConnections: Counter;
  readonly #inFlightChildren: Readonly<Record<'readOnly' | 'mutating', Gauge.Internal<'request_kind'>>>;
  readonly #memo = new Map<string, RequestChild>();

  readonly #isServed: (info: RequestInfo) => boolean;

  constructor(sources: MetricsSources) {
    this.#isServed = sources.isServed;
    const registers = [this.registry];
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource, scope and HTTP code.',
      labelNames: [...requestLabels, 'code'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer, without watches.',
      labelNames: [...requestLabels],
      buckets: latencyBucketsSeconds,
      registers,
    });
    this.#responseSizes = new Histogram({
      name: 'apiserver_response_sizes',
      help: 'Bytes of answers to lists and gets.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
      buckets: sizeBucketsBytes,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests being worked on, by kind.',
      labelNames: ['request_kind'],
      registers,
    });
    this.#longRunning = new Gauge({
      name: 'apiserver_longrunning_gauge',
      help: 'Open watches and other long-running requests.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
      registers,
    });
    this.#watchers = new Gauge({
      name: 'apiserver_registered_watchers',
      help: 'Open watches by resource.',
      labelNames: ['group', 'version', 'resource'],
      registers,
    });
    this.#deprecated = new Gauge({
      name: 'apiserver_requested_deprecated_apis',
      help: 'Deprecated APIs that clients asked for since the start, with the release that ends them.',
      labelNames: ['group', 'version', 'resource', 'subresource', 'removed_release'],
      registers,
    });
    this.#auditEvents = new Counter({
      name: 'apiserver_audit_event_total',
      help: 'Events of the audit log.',
      registers,
    });
    this.#auditErrors = new Counter({
      name: 'apiserver_audit_error_total',
      help: 'Events that were not written to the audit log.',
      labelNames: ['plugin'],
      registers,
    });
    this.#failures = new Counter({
      name: 'apiserver_request_failures_total',
      help: 'Requests that a mistake of the server ended without a response.',
      registers,
    });
    this.#closedConnections = new Counter({
      name: 'apiserver_closed_connections_total',
      help: 'Connections that were closed because too many were open.',
      registers,
    });
    this.#inFlightChildren = {
      readOnly: this.#inFlight.labels('readOnly'),
      mutating: this.#inFlight.labels('mutating'),
    };
    addStorageMetrics(this.registry, sources);
    addProcessMetrics(this.registry, sources);
  }

  set(kind: 'readOnly' | 'mutating', value: number): void {
    this.#inFlightChildren[kind].set(value);
  }

  /** Remembers that a deprecated API was asked for. The resource must be one that is served. */
  readonly addDeprecated = ({ group, version, resource, subresource }: RequestInfo, removedRelease: string) =>
    this.#deprecated.labels(group, version, resource, subresource, removedRelease).set(1);

  readonly addAuditEvent = () => this.#auditEvents.inc();

  readonly addLostAuditEvents = (count: number) => this.#auditErrors.labels('log').inc(count);

  /** A mistake of ours ended a request without a response. */
  readonly addFailure = () => this.#failures.inc();

  /** A connection was closed because too many were open. */
  readonly addClosedConnection = () => this.#closedConnections.inc();

  /** Counts and times every request that passes. */
  readonly filter: Filter = async (exchange, next) => {
    const isWatch = exchange.info.verb === 'watch';
    const gauges = this.#longRunningGauges(exchange);
    for (const gauge of gauges) gauge.inc();
    try {
      await next(exchange);
    } finally {
      for (const gauge of gauges) gauge.dec();
      this.#observe(exchange, isWatch);
    }
  };

  #longRunningGauges(exchange: Exchange) {
    const { info, method } = exchange;
    const labels = this.#resourceLabels(exchange);
    const [verb = '', group = '', version = '', resource = ''] = labels;
    // Here release 1.20 names connections by their method.
    if (verb === 'CONNECT') return [this.#longRunning.labels(method, ...labels.slice(1))];
    if (info.verb !== 'watch') return [];
    return [this.#longRunning.labels(...labels), this.#watchers.labels(group, version, resource)];
  }

  #observe(exchange: Exchange, isWatch: boolean): void {
    const { response } = exchange;
    const { count, duration } = this.#childOf(exchange);
    count.inc();
    if (isWatch) return;
    duration.observe((Date.now() - exchange.startedAtMs) / 1000);
    if (exchange.info.verb !== 'list' && exchange.info.verb !== 'get') return;
    if (isConnection(exchange.info)) return;
    const sizeBytes = Number(response.getHeader('content-length') ?? 0);
    if (sizeBytes > 0 && exchange.info.isResource) {
      this.#responseSizes.labels(...this.#resourceLabels(exchange)).observe(sizeBytes);
    }
  }

  /** The counters of a request's labels, looked up by one key. */
  #childOf(exchange: Exchange): RequestChild {
    const labels = this.#labels(exchange);
    const code = String(exchange.response.statusCode);
    const key = `${labels.join(' ')} ${code}`;
    let child = this.#memo.get(key);
    if (child === undefined) {
      child = { count: this.#requests.labels(...labels, code), duration: this.#duration.labels(...labels) };
      this.#memo.set(key, child);
    }
    return child;
  }

  #labels(exchange: Exchange): string[] {
    const [verb = '', group = '', version = '', resource = '', subresource = '', scope = '', component = ''] =
      this.#resourceLabels(exchange);
    const dryRun = exchange.query.get('dryRun') === 'All' ? 'All' : '';
    return [verb, group, version, resource, subresource, scope, dryRun, component];
  }

  #resourceLabels(exchange: Exchange): string[] {
    const { info } = exchange;
    if (!info.isResource || !this.#isServed(info)) return [verbOf(info), '', '', '', '', '', 'apiserver'];
    return [
      isConnection(info) ? 'CONNECT' : verbOf(info),
      info.group,
      info.version,
      info.resource,
      info.subresource,
      scopeOf(info),
      'apiserver',
    ];
  }
}

interface RequestChild {
  readonly count: Counter.Internal;
  readonly duration: Histogram.Internal<string>;
}

const knownVerbs = new Set([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'post',
  'put',
  'head',
  'options',
]);

function verbOf(info: RequestInfo): string {
  return knownVerbs.has(info.verb) ? info.verb.toUpperCase() : 'other';
}

/** Subresources that connect a client with somebody else. */
const connections = new Set(['attach', 'exec', 'portforward', 'proxy']);

const isConnection = ({ subresource }: RequestInfo): boolean => connections.has(subresource);

function scopeOf(info: RequestInfo): string {
  if (info.name !== '') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

function addStorageMetrics(registry: Registry, { storageStats, objectCounts }: MetricsSources): void {
  new Gauge({
    name: 'etcd_db_total_size_in_bytes',
    help: 'Bytes that the store takes.',
    labelNames: ['endpoint'],
    registers: [registry],
    async collect() {
      this.set({ endpoint: 'local' }, (await storageStats()).sizeBytes);
    },
  });
  new Gauge({
    name: 'etcd_object_counts',
    help: 'Stored objects by resource.',
    labelNames: ['resource'],
    registers: [registry],
    collect() {
      for (const [resource, count] of objectCounts()) this.set({ resource }, count);
    },
  });
}

function addProcessMetrics(registry: Registry, { unhandledRejections }: MetricsSources): void {
  new Counter({
    name: 'process_unhandled_rejections_total',
    help: 'Rejections of promises that nobody handled: mistakes of the server, each of which is logged.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(unhandledRejections?.() ?? 0);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, all threads.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
