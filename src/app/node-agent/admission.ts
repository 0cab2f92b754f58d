import type { Pod } from '../../apis/types/core-v1.ts';
import { type Admission, admitPod } from '../../nodeagent/admission/index.ts';
import type { CpuManager } from '../../nodeagent/cpu-manager/index.ts';
import type { DeviceManager } from '../../nodeagent/devices/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentNode } from './agent-node.ts';

/** Decides whether a pod is run beside the others on the node as it is now; an admitted one has its CPUs then. Its devices were given before. */
export function createAdmission(
  { nodeName: name, config, dialect }: AgentBase,
  { record, findings }: AgentNode,
  {
    cpus,
    devices,
  }: {
    readonly cpus: Pick<CpuManager, 'plan'> | undefined;
    readonly devices: Pick<DeviceManager, 'refusalOf' | 'raise'> | undefined;
  },
): (pod: Pod, others: readonly Pod[]) => Admission {
  return (pod, others) => {
    if (findings.shutdown !== undefined) return { kind: 'refused', ...findings.shutdown.refusal };
    const { labels, allocatable: own } = record.state();
    const allocatable = devices?.raise(own) ?? own;
    const planned = cpus?.plan(pod);
    const admission = admitPod({
      pod,
      others,
      node: { name, labels, allocatable, pressure: findings.pressure },
      isStatic: (each) => isStaticPod(each, dialect),
      resourceRefusal: devices?.refusalOf(pod) ?? planned?.refusal,
      config,
      dialect,
    });
    if (admission.kind === 'admitted') planned?.commit();
    return admission;
  };
}
