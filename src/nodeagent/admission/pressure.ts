import { podQosClass } from '../../apis/core/index.ts';
import type { Toleration } from '../../apis/types/core-v1.ts';
import type { AdmitPodOptions, PodRefusal } from './contract.ts';
import type { IsCritical } from './critical-pod.ts';
import { refusal } from './refusal.ts';

/**
 * Refuses what a node under pressure cannot take: short of memory only pods that ask for nothing, otherwise all but
 * critical ones.
 */
export function refuseUnderPressure(
  { pod, node, dialect }: AdmitPodOptions,
  isCritical: IsCritical,
): PodRefusal | undefined {
  const { memory, disk, pid } = node.pressure;
  if (!(memory || disk || pid) || isCritical(pod)) return undefined;
  if (memory && !disk && !pid) {
    const taint = dialect.domain('node', 'memory-pressure');
    const isTolerated = (pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
    if (isTolerated || podQosClass(pod.spec) !== 'BestEffort') return undefined;
  }
  const conditions = [
    ...(memory ? ['MemoryPressure'] : []),
    ...(disk ? ['DiskPressure'] : []),
    ...(pid ? ['PIDPressure'] : []),
  ];
  return refusal('Evicted', `The node had condition: [${conditions.join(' ')}]. `);
}

/** Whether a toleration covers a taint without a value whose effect is `NoSchedule`. */
function tolerates({ key, operator, value, effect }: Toleration, taint: string): boolean {
  if (effect && effect !== 'NoSchedule') return false;
  if (key && key !== taint) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && !value;
}
