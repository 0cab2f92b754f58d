import type { AgentConfig } from '../../options/index.ts';
import type { CgroupUsage } from './cgroup-usage.ts';
import type { RunningPod } from './pod-inventory.ts';
import type { StatsSources } from './stats-sources.ts';

/** How long the first rates of CPU time take to form. */
const firstRateMs = 100;

/** Usage of control groups: of the machine (`/`), of groups of the agent by name, of pods by uid, of their containers by id. */
export type Groups = ReadonlyMap<string, MeasuredGroup>;

/** A control group with its rate of CPU time, in nanocores. */
export interface MeasuredGroup {
  readonly usage: CgroupUsage;
  readonly nanoCores: number | undefined;
}

/** Measures all groups that a summary shows; a second time when there are no rates yet. */
export async function readGroups(sources: StatsSources, pods: readonly RunningPod[]): Promise<Groups> {
  const wanted = [...systemGroups(sources, await ownGroup(sources)), ...podGroups(sources, pods)];
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

/**
 * The group that the agent was started in. Undefined where it has several, by controller, since figures of one would be
 * taken for those of all. Source: release 1.20, `getContainer`.
 */
async function ownGroup({ files }: StatsSources): Promise<string | undefined> {
  const lines = (await files.text('/proc/self/cgroup'))?.split('\n') ?? [];
  const groups = new Map<string, string>();
  for (const line of lines) {
    const [, controllers = '', path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path !== undefined) for (const name of controllers.split(',')) groups.set(name, path);
  }
  const cpu = groups.get('cpu');
  if (cpu === undefined) return groups.size === 1 ? groups.get('') : undefined;
  return cpu === groups.get('memory') ? (groups.get('name=systemd') ?? cpu) : undefined;
}

function systemGroups({ config, paths }: StatsSources, own: string | undefined): Wanted {
  const named: (readonly [string, string | undefined])[] = [
    ['/', '/'],
    ['nodeagent', config.nodeagentCgroups || own],
    ['runtime', config.runtimeCgroups],
    ['misc', config.systemCgroups],
    ['pods', paths.pods],
  ];
  return named.flatMap(([name, path]) => (path === undefined || path === '' ? [] : [[name, path] as const]));
}

function podGroups(sources: StatsSources, pods: readonly RunningPod[]): Wanted {
  const withContainers = measuresContainers(sources.config);
  return pods.flatMap(({ uid, containers }) => {
    const pod = sources.podByUid(uid);
    const path = pod === undefined ? undefined : sources.paths.pod(pod);
    if (path === undefined) return [];
    const inner = withContainers ? containers.map(({ container }) => container.id) : [];
    const groups = inner.map((id) => [id, sources.paths.container(path, id)] as const);
    return [[uid, path] as const, ...groups];
  });
}

/** Where the metrics agent that is built into release 1.20 looks for containers. */
const knownSockets: ReadonlySet<string> = new Set(['/run/containerd/containerd.sock', '/run/crio/crio.sock']);

/**
 * Whether containers have all figures that their control groups and networks give. Those of a runtime that listens elsewhere have
 * what it says of them itself, as in release 1.20, whose metrics agent does not find them.
 */
export function measuresContainers({
  containerRuntime,
  containerRuntimeEndpoint,
}: Pick<AgentConfig, 'containerRuntime' | 'containerRuntimeEndpoint'>): boolean {
  if (containerRuntime !== 'remote') return true;
  return knownSockets.has(
    containerRuntimeEndpoint.replace(/^unix:\/\//, '').replace(/^\/var\/run\//, '/run/'),
  );
}
