import type { Clock } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { buildHealthChecks, Health, type StartHooks } from '../server/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import type { ApiModel } from './api-model.ts';

/** What the health of a server is judged by. */
export interface ApiHealthSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly storage: Pick<Storage, 'ping'>;
  readonly watchCache: WatchCache;
  readonly hooks: StartHooks;
  /** The services that keys of stored values are sealed by, which must answer. */
  readonly keyServices: readonly { check(): Promise<void> }[];
  /** True once a graceful end began. */
  readonly isStopping: () => boolean;
}

/** The health checks of a server that starts now. */
export function createHealth(sources: ApiHealthSources): Health {
  const { config, model, clock, storage, watchCache, hooks, keyServices, isStopping } = sources;
  const nowMs = () => clock.nowMs();
  return new Health({
    checks: buildHealthChecks({
      storage: { ping: () => pingWithin(storage, config.etcdHealthcheckTimeoutMs, clock) },
      watchCache,
      hooks,
      keyServices,
      spell: (text) => model.dialect.spell(text),
      isShuttingDown: isStopping,
      checkLog() {
        if (!process.stderr.writable) throw new Error('standard error, where the log goes, is closed');
      },
    }),
    livezGraceMs: config.livezGracePeriodMs,
    startedAtMs: nowMs(),
    nowMs,
  });
}

/** @throws Error when the store does not answer in time; StorageError. */
function pingWithin(storage: Pick<Storage, 'ping'>, timeoutMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(timeoutMs, () =>
      reject(new Error(`storage did not answer within ${timeoutMs} ms`)),
    );
    storage.ping().then(resolve, reject).finally(cancel);
  });
}
