import { type PodQosClass, podQosClass } from '../../apis/core/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** Settings that names of control groups depend on; every agent restart must find the same names. */
export interface CgroupSettings {
  readonly driver: 'cgroupfs' | 'systemd';
  /** Absolute path of the group that those of pods are made in; empty for the root. */
  readonly root: string;
  /** Whether pods get groups of their own, below one per QoS class. */
  readonly isPerQos: boolean;
}

/** Group of all pods of a class, as parts from the root; Guaranteed pods lie in that of all pods. */
export function qosCgroupName(
  qosClass: PodQosClass,
  { root }: CgroupSettings,
  dialect: Dialect,
): readonly string[] {
  const all = [...root.split('/').filter((part) => part !== ''), dialect.spell('orchpods')];
  return qosClass === 'Guaranteed' ? all : [...all, qosClass.toLowerCase()];
}

/** Group of one pod, as parts from the root. */
export function podCgroupName(pod: Pod, settings: CgroupSettings, dialect: Dialect): readonly string[] {
  return [...qosCgroupName(podQosClass(pod.spec), settings, dialect), `pod${pod.metadata.uid ?? ''}`];
}

/**
 * Group that a pod's sandbox and containers are made in, in the notation of the driver; undefined, which leaves it to
 * the runtime, when pods get no groups of their own.
 */
export function podCgroupParent(pod: Pod, settings: CgroupSettings, dialect: Dialect): string | undefined {
  return settings.isPerQos
    ? formatCgroupName(podCgroupName(pod, settings, dialect), settings.driver)
    : undefined;
}

/**
 * A group's path below a controller's mount. Systemd names a slice after all those that it lies in, joined by dashes;
 * dashes in parts become underscores.
 */
export function formatCgroupName(parts: readonly string[], driver: CgroupSettings['driver']): string {
  if (driver === 'cgroupfs') return `/${parts.join('/')}`;
  let name = '';
  let path = '';
  for (const part of parts) {
    name += `${name === '' ? '' : '-'}${part.replaceAll('-', '_')}`;
    path += `/${name}.slice`;
  }
  return path === '' ? '/' : path;
}
