import { pause } from '../../base/index.ts';
import type { PodCgroups } from '../../nodeagent/cgroups/index.ts';
import {
  machineFiles,
  type PodTable,
  type PodViews,
  type RuntimeRelist,
  removeLeftovers,
} from '../../nodeagent/lifecycle/index.ts';
import type { PodVolumes } from '../../nodeagent/volumes/index.ts';
import type { AgentBase } from './agent-base.ts';

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
