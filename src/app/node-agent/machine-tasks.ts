import { join } from 'node:path';
import { pause } from '../../base/index.ts';
import { criticality } from '../../nodeagent/admission/index.ts';
import type { PodCgroups } from '../../nodeagent/cgroups/index.ts';
import {
  machineFiles,
  type PodManager,
  type PodTable,
  type PodViews,
  type RuntimeRelist,
  removeLeftovers,
} from '../../nodeagent/lifecycle/index.ts';
import { PluginWatcher, type PluginWatcherOptions } from '../../nodeagent/plugin-registration/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { PodVolumes } from '../../nodeagent/volumes/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentNotifier } from './agent-notices.ts';

/** How often leftovers of pods are looked for: soon after the start, because an agent before may have been killed. */
const periodMs = 60_000;
const firstMs = 2000;

interface HousekeepingInputs {
  readonly volumes: Pick<PodVolumes, 'podsOnDisk' | 'unmount'>;
  readonly cgroups: Pick<PodCgroups, 'updateQos' | 'podsPresent' | 'removePod'> | undefined;
  readonly table: Pick<PodTable, 'activePods' | 'knows' | 'knowsAllPods'>;
  readonly views: Pick<PodViews, 'podUidOf'>;
  readonly relist: Pick<RuntimeRelist, 'failure' | 'answeredAtMs' | 'listing'>;
}

/** Updates the QoS control groups and removes leftovers of pods, now and then until the agent ends. Never rejects. */
export async function keepHouse(
  { clock, logger, signal }: AgentBase,
  { volumes, cgroups, table, views, relist }: HousekeepingInputs,
): Promise<void> {
  let waitMs = firstMs;
  while (await pause(clock, waitMs, signal)) {
    await cgroups?.updateQos(table.activePods()).catch((error: unknown) => {
      logger.error('QoS cgroup update failed', { error });
    });
    // Before the first answer nobody knows what still runs.
    const isKnown = relist.failure === undefined && relist.answeredAtMs !== undefined;
    if (!table.knowsAllPods || !isKnown) continue;
    waitMs = periodMs;
    const { sandboxes, containers } = relist.listing;
    const inRuntime = new Set([...sandboxes, ...containers].map((each) => views.podUidOf(each)));
    const isKnownPod = (podUid: string): boolean => table.knows(podUid) || inRuntime.has(podUid);
    await removeLeftovers({ volumes, cgroups, files: machineFiles, isKnown: isKnownPod, logger });
  }
}

/**
 * Begins to take plugins of vendors into use that put their sockets below the agent's root folder; undefined for a
 * single run, which ends before one could serve.
 *
 * @throws Error when the folder cannot be made
 */
export async function startPlugins(
  { config, clock, logger }: AgentBase,
  handlers: PluginWatcherOptions['handlers'],
): Promise<AsyncDisposable | undefined> {
  if (config.runOnce) return undefined;
  const folder = join(config.rootDir, 'plugins_registry');
  const watcher = new PluginWatcher({ folder, handlers, clock, logger });
  await watcher.start();
  return watcher;
}

interface ShutdownInputs {
  readonly table: Pick<PodTable, 'activePods'>;
  readonly manager: Pick<PodManager, 'evict'>;
  readonly notifier: AgentNotifier;
}

/** Has shutdowns of the machine wait for its pods, where the options want that; undefined where they do not. */
export async function startShutdown(
  { config, dialect, environment, clock, logger }: AgentBase,
  { table, manager, notifier }: ShutdownInputs,
): Promise<AsyncDisposable | undefined> {
  const { shutdownGracePeriodMs: periodMs, shutdownGracePeriodCriticalPodsMs: criticalPeriodMs } = config;
  if (!config.features.GracefulNodeShutdown || periodMs <= 0 || config.runOnce) return undefined;
  const { startShutdownManager } = await import('../../nodeagent/shutdown/index.ts');
  return startShutdownManager({
    periodMs,
    criticalPeriodMs,
    agent: dialect.spell('nodeagent'),
    environment,
    pods: () => table.activePods(),
    isCritical: criticality((pod) => isStaticPod(pod, dialect)),
    evict: (pod, verdict) => manager.evict(pod, verdict),
    onChange: (shutdown) => notifier.notify('shutdownChanged', shutdown),
    clock,
    logger,
  });
}
