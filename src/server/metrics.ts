import type { Dialect } from '../machinery/dialect.ts';
import type { GroupVersionKind } from '../machinery/schema/index.ts';
import { MetricRegistry, readMetricTable, type Series, showProcess } from '../net/metrics/index.ts';
import type { StorageStats } from '../storage/index.ts';
import type { AdmissionOutcome, HookOutcome } from './admission/index.ts';
import type { AvailabilityOutcome } from './aggregation/index.ts';
import type { TokenUse } from './authentication/index.ts';
import { AuthenticationMetrics } from './authentication-metrics.ts';
import { FlowMetrics } from './fairness/index.ts';
import type { InFlightGauges } from './filters/in-flight.ts';
import { QueueMetrics } from './queue-metrics.ts';
import type { Exchange, Filter } from './request/exchange.ts';
import { requestKindOf } from './request/long-running.ts';
import type { RequestInfo } from './request/request-info.ts';
import { dryRunOf, isConnection, knownTypes, scopeOf, verbOf, widestScopeOf } from './request-labels.ts';
import table from './server-metrics.json' with { type: 'json' };

/** Where values come from that are read at each scrape, and which label values are allowed. */
export interface MetricsSources {
  readonly dialect: Pick<Dialect, 'spell'>;
  readonly storageStats: () => Promise<Pick<StorageStats, 'sizeBytes'>>;
  /** Labels come from clients' paths: only a resource and subresource that are served may become ones.
   * The kind of objects of such a resource. */
  readonly kindOf: (info: RequestInfo) => string | undefined;
  /** Rejections in this process that nobody handled. */
  readonly unhandledRejections?: (() => number) | undefined;
  /** Stored objects by resource (`deployments.apps`). */
  readonly objectCounts: () => Iterable<readonly [resource: string, count: number]>;
}

const tokenUseMetrics: Readonly<Record<TokenUse, string>> = {
  kept: 'serviceaccount_legacy_tokens_total',
  extended: 'serviceaccount_valid_tokens_total',
  stale: 'serviceaccount_stale_tokens_total',
};

/** The server's metrics, named as release 1.20 names them. */
export class ServerMetrics implements InFlightGauges {
  readonly #registry = new MetricRegistry({ showsEmpty: true });
  readonly #sources: MetricsSources;
  readonly #inFlight: Readonly<Record<'readOnly' | 'mutating', Series>>;
  readonly #admission = new Map<string, Series>();
  readonly #storageTimes = new Map<string, Series>();
  readonly #knownTypes: ReadonlySet<string>;
  readonly #memo = new Map<string, RequestSeries>();
  readonly authentication: AuthenticationMetrics;
  /** Of priority and fairness. */
  readonly flows: FlowMetrics;
  /** Of the queues of controllers. */
  readonly queues: QueueMetrics;

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#knownTypes = new Set(knownTypes.map(sources.dialect.spell));
    for (const [name, definition] of readMetricTable(table)) this.#registry.define(name, definition);
    this.authentication = new AuthenticationMetrics(this.#registry, sources.dialect);
    this.flows = new FlowMetrics(this.#registry);
    this.queues = new QueueMetrics(this.#registry);
    this.#inFlight = {
      readOnly: this.#registry.series('apiserver_current_inflight_requests', ['readOnly']),
      mutating: this.#registry.series('apiserver_current_inflight_requests', ['mutating']),
    };
  }

  /** Begins to count anew, as far as release 1.20 does. */
  reset(): void {
    this.#registry.reset();
  }

  /** All metrics as they are now, in the exposition format. */
  async text(): Promise<string> {
    const registry = this.#registry;
    const { storageStats, objectCounts, unhandledRejections } = this.#sources;
    registry.set('etcd_db_total_size_in_bytes', (await storageStats()).sizeBytes, ['local']);
    for (const [resource, count] of objectCounts()) registry.set('etcd_object_counts', count, [resource]);
    registry.set('process_unhandled_rejections_total', unhandledRejections?.() ?? 0);
    registry.set('process_start_time_seconds', performance.timeOrigin / 1000);
    showProcess(registry);
    return registry.text();
  }

  set(kind: 'readOnly' | 'mutating', value: number): void {
    this.#inFlight[kind].set(value);
  }

  /** Remembers that a deprecated API was asked for. The resource must be one that is served. */
  readonly addDeprecated = ({ group, version, resource, subresource }: RequestInfo, removedRelease: string) =>
    this.#registry.set('apiserver_requested_deprecated_apis', 1, [
      group,
      version,
      resource,
      subresource,
      removedRelease,
    ]);

  readonly addAuditEvent = () => this.#registry.add('apiserver_audit_event_total', 1);

  readonly addLostAuditEvents = (plugin: string, count: number) =>
    this.#registry.add('apiserver_audit_error_total', count, [plugin]);

  /** A request was looked up in the audit policy. */
  readonly addAuditLevel = (level: string) => this.#registry.add('apiserver_audit_level_total', 1, [level]);

  /** A request was refused because it could not be recorded. */
  readonly addAuditRejection = () => this.#registry.add('apiserver_audit_requests_rejected_total', 1);

  /** A service account token was taken of which operators want to know. */
  readonly addTokenUse = (use: TokenUse) => this.#registry.add(tokenUseMetrics[use], 1);

  /** Counts a call of an admission webhook. */
  readonly addWebhookCall = ({ name, type, operation, seconds, rejection }: HookOutcome): void => {
    const isRejected = String(rejection !== undefined);
    const labels = [name, operation, isRejected, type];
    this.#registry.observe('apiserver_admission_webhook_admission_duration_seconds', seconds, labels);
    if (rejection === undefined) return;
    const { errorType, code } = rejection;
    const reasons = [errorType, name, operation, String(code), type];
    this.#registry.add('apiserver_admission_webhook_rejection_count', 1, reasons);
  };

  /** An API service was looked at. */
  readonly addAvailability = ({ name, finding, wasAvailable }: AvailabilityOutcome): void => {
    const isAvailable = finding.status === 'True';
    this.#registry.set('aggregator_unavailable_apiservice', isAvailable ? 0 : 1, [name]);
    if (wasAvailable && !isAvailable)
      this.#registry.add('aggregator_unavailable_apiservice_total', 1, [name, finding.reason ?? '']);
  };

  /** An API service is gone. What was counted of it stays. */
  readonly forgetAvailability = (name: string) =>
    this.#registry.clear('aggregator_unavailable_apiservice', [name]);

  /** Counts a phase of admission. */
  readonly addAdmission = ({ phase, operation, isRejected, seconds }: AdmissionOutcome): void => {
    const key = `${phase} ${operation} ${isRejected}`;
    let series = this.#admission.get(key);
    if (series === undefined) {
      const labels = [operation, String(isRejected), phase];
      series = this.#registry.series('apiserver_admission_step_admission_duration_seconds', labels);
      this.#admission.set(key, series);
    }
    series.observe(seconds);
  };

  /** The store answered. `type` is that of the objects, of which there are few. */
  readonly addStorageTime = (operation: string, type: string, seconds: number): void => {
    const key = `${operation} ${type}`;
    let series = this.#storageTimes.get(key);
    if (series === undefined) {
      series = this.#registry.series('etcd_request_duration_seconds', [operation, type]);
      this.#storageTimes.set(key, series);
    }
    series.observe(seconds);
  };

  /** An internal error ended a request without a response. */
  readonly addFailure = () => this.#registry.add('apiserver_request_failures_total', 1);

  /** A connection was closed because too many were open. */
  readonly addClosedConnection = () => this.#registry.add('apiserver_closed_connections_total', 1);

  /** Open watches of a kind, for those that no request opens. */
  readonly watchersOf = ({ group, version, kind }: GroupVersionKind): Pick<Series, 'add'> =>
    this.#registry.series('apiserver_registered_watchers', [group, version, kind]);

  /** Counts and times every request that passes. */
  readonly filter: Filter = async (exchange, next) => {
    const isWatch = exchange.info.verb === 'watch';
    const gauges = this.#longRunningGauges(exchange);
    for (const gauge of gauges) gauge.add(1);
    try {
      await next(exchange);
    } finally {
      for (const gauge of gauges) gauge.add(-1);
      this.#observe(exchange, isWatch);
    }
  };

  #longRunningGauges(exchange: Exchange): readonly Pick<Series, 'add'>[] {
    const { info } = exchange;
    if (info.verb !== 'watch' && !isConnection(info)) return noGauges;
    const labels = this.#resourceLabels(exchange, widestScopeOf(info));
    const open = this.#registry.series('apiserver_longrunning_gauge', labels);
    if (info.verb !== 'watch') return [open];
    const [, group = '', version = ''] = labels;
    const kind = this.#sources.kindOf(info);
    return kind === undefined ? [open] : [open, this.watchersOf({ group, version, kind })];
  }

  #observe(exchange: Exchange, isWatch: boolean): void {
    const { count, duration } = this.#childOf(exchange);
    count.add(1);
    if (exchange.isTerminated === true) this.#countTermination(exchange);
    if (isWatch) return;
    duration.observe((Date.now() - exchange.startedAtMs) / 1000);
    if (exchange.info.verb !== 'list' && exchange.info.verb !== 'get') return;
    if (isConnection(exchange.info)) return;
    const sizeBytes = exchange.answerBytes ?? 0;
    if (sizeBytes > 0 && exchange.info.isResource) {
      this.#registry.observe('apiserver_response_sizes', sizeBytes, this.#resourceLabels(exchange));
    }
  }

  #countTermination(exchange: Exchange): void {
    const { info, response } = exchange;
    const labels = [...this.#resourceLabels(exchange, widestScopeOf(info)), String(response.statusCode)];
    this.#registry.add('apiserver_request_terminations_total', 1, labels);
    if (response.statusCode === 429)
      this.#registry.add('apiserver_dropped_requests_total', 1, [requestKindOf(info)]);
  }

  /** The counters of a request's labels, looked up by one key. */
  #childOf(exchange: Exchange): RequestSeries {
    const [verb = '', group = '', version = '', resource = '', subresource = '', scope = '', component = ''] =
      this.#resourceLabels(exchange);
    const labels = [verb, group, version, resource, subresource, scope, dryRunOf(exchange), component];
    const answer = [this.#typeOf(exchange), String(exchange.response.statusCode)];
    const key = `${labels.join(' ')} ${answer.join(' ')}`;
    let child = this.#memo.get(key);
    if (child === undefined) {
      child = {
        count: this.#registry.series('apiserver_request_total', [...labels, ...answer]),
        duration: this.#registry.series('apiserver_request_duration_seconds', labels),
      };
      this.#memo.set(key, child);
    }
    return child;
  }

  /** One of a few: some answers have a type that is not the server's. */
  #typeOf({ answerType = '' }: Exchange): string {
    if (this.#knownTypes.has(answerType)) return answerType;
    const type = answerType.replace(/ (?=(?:stream=watch|charset=utf-8)$)/, '');
    return this.#knownTypes.has(type) ? type : 'other';
  }

  #resourceLabels(exchange: Exchange, scope = scopeOf(exchange)): string[] {
    const { info } = exchange;
    if (!info.isResource || this.#sources.kindOf(info) === undefined)
      return [verbOf(exchange, ''), '', '', '', '', '', 'apiserver'];
    const { group, version, resource, subresource } = info;
    return [verbOf(exchange, scope), group, version, resource, subresource, scope, 'apiserver'];
  }
}

const noGauges: readonly Series[] = [];

interface RequestSeries {
  readonly count: Series;
  readonly duration: Series;
}
