import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import type { HealthCheck, HealthEndpoint, StartHooks } from './health.ts';
import names from './health-checks.json' with { type: 'json' };

/** The parts of the server that the health checks ask. */
export interface HealthSources {
  readonly storage: Pick<Storage, 'ping'>;
  readonly watchCache: WatchCache;
  readonly hooks: StartHooks;
  /** The services that keys of stored values are sealed by. */
  readonly keyServices?: readonly { check(): Promise<void> }[] | undefined;
  /** Translates check names, which hold product names, to the dialect. */
  readonly spell: (text: string) => string;
  /** True once a graceful end began. */
  readonly isShuttingDown: () => boolean;
  /** Rejects when log lines cannot be written. */
  readonly checkLog: () => void;
}

/** The checks of the three health endpoints, in release 1.20's order. Each start hook is a check with its name. */
export function buildHealthChecks(
  sources: HealthSources,
): Readonly<Record<HealthEndpoint, readonly HealthCheck[]>> {
  const { storage, watchCache, hooks, spell, isShuttingDown, checkLog, keyServices = [] } = sources;
  const basic: HealthCheck[] = [
    { name: 'ping', check() {} },
    { name: 'log', check: checkLog },
    { name: 'etcd', check: () => storage.ping() },
    ...keyServices.map((service, index) => ({ name: `kms-provider-${index}`, check: () => service.check() })),
  ];
  const informerSync: HealthCheck = {
    name: 'informer-sync',
    check() {
      if (!watchCache.isCurrent) throw new Error('the watch cache is behind storage');
    },
  };
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (isShuttingDown()) throw new Error('process is shutting down');
    },
  };
  const started = names.startHooks.map(({ name, after }) => hooks.check(spell(name), after));
  const live = [...basic, ...started];
  return { healthz: live, livez: live, readyz: [...basic, informerSync, ...started, shutdown] };
}
