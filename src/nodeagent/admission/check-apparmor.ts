import { everyContainer, podAnnotationNames } from '../../apis/core/pod-spec/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { AppArmorHost } from '../host/index.ts';
import type { PodBlock } from '../sync/pod-input.ts';

const localhost = 'localhost/';

/** Whether AppArmor profiles can be applied on this host, and the dialect of the pod's annotations. */
export interface CheckAppArmorOptions {
  /** That of the gate `AppArmor`. */
  readonly isOn: boolean;
  readonly host: AppArmorHost;
  readonly dialect: Dialect;
}

/** Why the profiles that a pod names cannot be enforced now; undefined when they can, or it names none. Never rejects. */
export async function checkAppArmor(pod: Pod, options: CheckAppArmorOptions): Promise<PodBlock | undefined> {
  const problem = await findProblem(pod, options).catch((error: unknown) => {
    return `could not read loaded profiles: ${errorText(error)}`;
  });
  return problem === undefined
    ? undefined
    : { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${problem}` };
}

async function findProblem(
  { metadata, spec }: Pod,
  { isOn, host, dialect }: CheckAppArmorOptions,
): Promise<string | undefined> {
  const prefix = podAnnotationNames(dialect).appArmorContainerPrefix;
  const profiles = new Map(
    Object.entries(metadata.annotations ?? {}).flatMap(([key, profile]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), profile] as const] : [],
    ),
  );
  if ([...profiles.values()].every((profile) => profile === 'unconfined')) return undefined;
  if (!isOn) return 'AppArmor disabled by feature-gate';
  if (!(await host.isEnabled())) return 'AppArmor is not enabled on the host';
  const loaded = await host.loadedProfiles();
  for (const { container } of everyContainer(spec)) {
    const problem = judgeProfile(profiles.get(container.name) ?? '', loaded);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function judgeProfile(profile: string, loaded: ReadonlySet<string>): string | undefined {
  if (profile === '' || profile === 'runtime/default' || profile === 'unconfined') return undefined;
  if (!profile.startsWith(localhost)) return `invalid AppArmor profile name: ${quoteGo(profile)}`;
  const name = profile.slice(localhost.length);
  return loaded.has(name) ? undefined : `profile ${quoteGo(name)} is not loaded`;
}
