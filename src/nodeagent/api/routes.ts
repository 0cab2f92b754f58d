import { createDialect, type Dialect } from '../../machinery/dialect.ts';
import type { AgentServersOptions } from './agent-servers.ts';
import { handleContainerLogs } from './handlers/container-logs.ts';
import { handleConfigz, handleProfiles, handleVerbosity } from './handlers/debug.ts';
import { type HealthCheck, handleCheck, handleHealth, pingCheck, syncLoopCheck } from './handlers/health.ts';
import { handleLogFiles } from './handlers/log-files.ts';
import { manifestRoutes } from './handlers/manifests.ts';
import { handlePods, handleRunningPods } from './handlers/pods.ts';
import { handleRun } from './handlers/run.ts';
import { handleMetrics, statsRoutes } from './handlers/stats.ts';
import { handleAttach, handleExec, handlePortForward } from './handlers/streams.ts';
import type { AgentHandler } from './http/exchange.ts';
import { sendLine } from './http/respond.ts';
import { Router, type ServiceRoute } from './http/router.ts';
import type { AgentStats } from './stats/agent-stats.ts';

const json = 'application/json';
const defaultLogsDirectory = '/var/log';
/** What is answered with a refusal where debugging is off. */
const debugPaths = [
  '/run/',
  '/exec/',
  '/attach/',
  '/portForward/',
  '/containerLogs/',
  '/runningpods/',
  '/debug/pprof/',
  '/logs/',
];

/** What the routes of a port answer from. */
export interface RoutesOptions extends AgentServersOptions {
  readonly stats: AgentStats;
}

/** Paths of the health port. */
export function healthRouter(): Router {
  const router = new Router();
  addHealth(router, [pingCheck]);
  return router;
}

/** Paths of the secure port; the read-only port has the same without those that give access to containers. */
export function agentRouter(
  options: RoutesOptions,
  { isReadOnly }: { readonly isReadOnly: boolean },
): Router {
  const { config, view, stats, metrics, clock } = options;
  const router = new Router();
  const syncLoop = syncLoopCheck({
    lastSyncAtMs: () => view.lastSyncAtMs(),
    syncFrequencyMs: config.syncFrequencyMs,
    nowMs: () => clock.nowMs(),
  });
  addHealth(router, [pingCheck, { name: 'log', check: () => options.checkLog() }, syncLoop]);
  router.service('/pods', [{ ...get('', handlePods(view)), produces: json }]);
  const showsJson = config.enableMetricsJsonEndpoints;
  const { stats: summary, spec } = statsRoutes(options, stats);
  router.service('/stats/', showsJson ? [...summary.basic, ...summary.containers] : summary.basic);
  if (showsJson) router.service('/spec/', spec);
  router.handle(
    '/metrics',
    handleMetrics(async () => {
      await stats.fillGauges();
      return metrics.text();
    }),
  );
  for (const name of ['cadvisor', 'metrics-agent']) {
    router.handle(
      `/metrics/${name}`,
      handleMetrics(() => stats.containerMetrics()),
    );
  }
  router.handle(
    '/metrics/resource',
    handleMetrics(() => stats.resourceMetrics()),
  );
  router.handle(
    '/metrics/probes',
    handleMetrics(() => metrics.probes.text()),
  );
  if (!isReadOnly && options.submitted !== undefined) {
    router.service('/manifests', manifestRoutes(options.submitted));
  }
  if (!isReadOnly && config.enableDebuggingHandlers) addDebugging(router, options);
  else refuseDebugging(router);
  return router;
}

function addHealth(router: Router, checks: readonly HealthCheck[]): void {
  router.handle('/healthz', handleHealth(checks));
  for (const check of checks) router.handle(`/healthz/${check.name}`, handleCheck(check));
}

function addDebugging(router: Router, options: RoutesOptions): void {
  const { config, dialect, view, runtime, clock } = options;
  const streams = {
    view,
    runtime,
    // Runtimes spell the names of protocols in one way only.
    dialects: { client: dialect, runtime: createDialect('kubernetes') },
    idleTimeoutMs: config.streamingConnectionIdleTimeoutMs,
    redirects: config.redirectContainerStreaming,
  };
  router.service('/run', containerRoutes(['POST'], handleRun({ view, runtime })));
  router.service('/exec', containerRoutes(['GET', 'POST'], handleExec(streams)));
  router.service('/attach', containerRoutes(['GET', 'POST'], handleAttach(streams)));
  const portForward = handlePortForward(streams);
  const templates = ['{namespace}/{pod}', '{namespace}/{pod}/{uid}'];
  router.service(
    '/portForward',
    templates.map((template) => ({ methods: ['GET', 'POST'], template, handler: portForward })),
  );
  router.service('/containerLogs', [
    get('{namespace}/{pod}/{container}', handleContainerLogs({ view, runtime, clock })),
  ]);
  router.service('/runningpods/', [{ ...get('', handleRunningPods(view)), produces: json }]);
  router.handle('/configz', handleConfigz(configzName(dialect), options.configz));
  router.service('/debug/pprof/', [get('{profile:*}', handleProfiles(options.commandLine))]);
  router.handle('/debug/flags/v', handleVerbosity(options.setVerbosity));
  addLogFiles(router, options);
}

const configzName = (dialect: Dialect): string => dialect.spell('nodeagentconfig');

function addLogFiles(router: Router, { config, logsDirectory = defaultLogsDirectory }: RoutesOptions): void {
  if (!config.enableSystemLogHandler) {
    router.handle('/logs/', (exchange) => sendLine(exchange, 405, 'logs endpoint is disabled.'));
    return;
  }
  const handler = handleLogFiles(logsDirectory);
  router.service('/logs/', [get('', handler), get('{path:*}', handler)]);
}

function refuseDebugging(router: Router): void {
  const refuse: AgentHandler = (exchange) => sendLine(exchange, 405, 'Debug endpoints are disabled.');
  for (const path of debugPaths) router.handle(path, refuse);
}

function containerRoutes(methods: readonly string[], handler: AgentHandler): ServiceRoute[] {
  // A uid in the path is ignored, as in release 1.20.
  const templates = ['{namespace}/{pod}/{container}', '{namespace}/{pod}/{uid}/{container}'];
  return templates.map((template) => ({ methods, template, handler }));
}

const get = (template: string, handler: AgentHandler): ServiceRoute => ({
  methods: ['GET'],
  template,
  handler,
});
