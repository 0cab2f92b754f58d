import type { CgroupUsage } from './cgroup-usage.ts';
import type { RunningPod } from './pod-inventory.ts';
import type { StatsSources } from './stats-sources.ts';

/** How long the first rates of CPU time take to form. */
const firstRateMs = 100;

/** Usage of control groups: of the machine (`/`), of groups of the agent by name, of pods by uid. */
export type Groups = ReadonlyMap<string, MeasuredGroup>;

/** A control group with its rate of CPU time, in nanocores. */
export interface MeasuredGroup {
  readonly usage: CgroupUsage;
  readonly nanoCores: number | undefined;
}

/** Measures all groups that a summary shows; a second time when there are no rates yet. */
export async function readGroups(sources: StatsSources, pods: readonly RunningPod[]): Promise<Groups> {
  const wanted = [...systemGroups(sources), ...podGroups(sources, pods)];
  const first = await measure(sources, wanted);
  if (first.every(([, { nanoCores }]) => nanoCores !== undefined)) return new Map(first);
  await new Promise<void>((resolve) => {
    sources.clock.setTimer(firstRateMs, resolve);
  });
  return new Map(await measure(sources, wanted));
}

type Wanted = readonly (readonly [name: string, path: string])[];

async function measure(sources: StatsSources, wanted: Wanted): Promise<[string, MeasuredGroup][]> {
  const found = await Promise.all(
    wanted.map(async ([name, path]): Promise<[string, MeasuredGroup] | undefined> => {
      const usage = await sources.cgroups.read(path);
      if (usage === undefined) return undefined;
      return [name, { usage, nanoCores: sources.groupRates.rate(path, usage) }];
    }),
  );
  return found.filter((each) => each !== undefined);
}

function systemGroups({ config, paths }: StatsSources): Wanted {
  const named: (readonly [string, string | undefined])[] = [
    ['/', '/'],
    ['nodeagent', config.nodeagentCgroups],
    ['runtime', config.runtimeCgroups],
    ['misc', config.systemCgroups],
    ['pods', paths.pods],
  ];
  return named.flatMap(([name, path]) => (path === undefined || path === '' ? [] : [[name, path] as const]));
}

function podGroups({ paths, podByUid }: StatsSources, pods: readonly RunningPod[]): Wanted {
  return pods.flatMap(({ uid }) => {
    const pod = podByUid(uid);
    const path = pod === undefined ? undefined : paths.pod(pod);
    return path === undefined ? [] : [[uid, path] as const];
  });
}
