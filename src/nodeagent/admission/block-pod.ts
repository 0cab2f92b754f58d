import { everyContainer, podAnnotationNames } from '../../apis/core/pod-spec/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { AgentConfig } from '../options/index.ts';

/** Why a pod waits that the node may be able to run later. */
export interface PodBlock {
  /** Of the pod's status; its containers wait with the reason `Blocked`. */
  readonly reason: string;
  readonly message: string;
}

export interface BlockPodOptions {
  /** With its status: what runs or has ended is not asked for again. */
  readonly pod: Pod;
  readonly config: Pick<AgentConfig, 'features'>;
  /** Names of the AppArmor profiles that the kernel has loaded; undefined where it has no AppArmor. */
  readonly apparmorProfiles: ReadonlySet<string> | undefined;
  readonly dialect: Dialect;
}

const localhost = 'localhost/';

/** Holds back a pod whose AppArmor profiles cannot be enforced now; undefined when nothing is in its way. */
export function blockPod({ pod, config, apparmorProfiles, dialect }: BlockPodOptions): PodBlock | undefined {
  if ((pod.status.phase ?? 'Pending') !== 'Pending') return undefined;
  const prefix = podAnnotationNames(dialect).appArmorContainerPrefix;
  const annotations = Object.entries(pod.metadata.annotations ?? {});
  const profiles = new Map(annotations.filter(([key]) => key.startsWith(prefix)));
  if ([...profiles.values()].every((profile) => profile === 'unconfined')) return undefined;
  const wanted = everyContainer(pod.spec).map(({ container }) => profiles.get(prefix + container.name) ?? '');
  const problem = config.features.AppArmor
    ? findProblem(wanted, apparmorProfiles)
    : 'AppArmor disabled by feature-gate';
  if (problem === undefined) return undefined;
  return { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${problem}` };
}

function findProblem(wanted: readonly string[], loaded: ReadonlySet<string> | undefined): string | undefined {
  if (loaded === undefined) return 'AppArmor is not enabled on the host';
  for (const profile of wanted) {
    if (profile === '' || profile === 'runtime/default' || profile === 'unconfined') continue;
    if (!profile.startsWith(localhost)) return `invalid AppArmor profile name: ${quoteGo(profile)}`;
    const name = profile.slice(localhost.length);
    if (!loaded.has(name)) return `profile ${quoteGo(name)} is not loaded`;
  }
  return undefined;
}
