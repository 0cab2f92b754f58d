import type { Dialect } from '../../../machinery/dialect.ts';
import type { ObjectMeta } from '../../../machinery/meta/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { Container, PodSpec } from '../../types/core-v1.ts';
import { podAnnotationNames } from './annotation-names.ts';
import { everyContainer } from './every-container.ts';

/** A pod, or a template of pods. */
interface PodLike {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** Fields that are there with a gate only. */
interface GatedFields {
  readonly gate: string;
  /** Whether a stored object has them: it keeps them then. */
  isUsed(pod: PodLike, dialect: Dialect): boolean;
  drop(pod: PodLike, dialect: Dialect): void;
}

/**
 * Drops fields whose feature gate is off, unless the object before the update used them already. `old` is
 * undefined on creation.
 */
export function dropGatedPodFields(
  pod: PodLike,
  old: PodLike | undefined,
  { gates, dialect }: RuleContext,
): void {
  for (const fields of gatedFields) {
    if (!gates.has(fields.gate) && !(old && fields.isUsed(old, dialect))) fields.drop(pod, dialect);
  }
}

const containersOf = (pod: PodLike): Container[] =>
  everyContainer(pod.spec).map(({ container }) => container);
const volumesOf = ({ spec }: PodLike) => spec.volumes ?? [];

const appArmorKeys = ({ metadata }: PodLike, dialect: Dialect): string[] => {
  const prefix = podAnnotationNames(dialect).appArmorContainerPrefix;
  return Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith(prefix));
};

/** Source: the release's `pkg/api/pod/util.go`. */
const gatedFields: readonly GatedFields[] = [
  {
    gate: 'ProcMountType',
    isUsed: (pod) =>
      containersOf(pod).some(
        ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
      ),
    drop(pod) {
      for (const { securityContext } of containersOf(pod)) {
        if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
      }
    },
  },
  {
    gate: 'GenericEphemeralVolume',
    isUsed: (pod) => volumesOf(pod).some(({ ephemeral }) => ephemeral !== undefined),
    drop(pod) {
      for (const volume of volumesOf(pod)) delete volume.ephemeral;
    },
  },
  {
    gate: 'EphemeralContainers',
    isUsed: ({ spec }) => (spec.ephemeralContainers ?? []).length > 0,
    drop({ spec }) {
      if (spec.ephemeralContainers) delete spec.ephemeralContainers;
    },
  },
  {
    gate: 'AppArmor',
    isUsed: (pod, dialect) => appArmorKeys(pod, dialect).length > 0,
    drop(pod, dialect) {
      for (const key of appArmorKeys(pod, dialect)) delete pod.metadata.annotations?.[key];
    },
  },
  {
    gate: 'Sysctls',
    isUsed: ({ spec }) => spec.securityContext?.sysctls !== undefined,
    drop: ({ spec }) => void delete spec.securityContext?.sysctls,
  },
  {
    gate: 'LocalStorageCapacityIsolation',
    isUsed: (pod) => volumesOf(pod).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined),
    drop(pod) {
      for (const { emptyDir } of volumesOf(pod)) delete emptyDir?.sizeLimit;
    },
  },
  {
    gate: 'VolumeSubpath',
    isUsed: (pod) =>
      containersOf(pod).some(({ volumeMounts }) => volumeMounts?.some(({ subPath }) => subPath)),
    drop(pod) {
      for (const { volumeMounts } of containersOf(pod))
        for (const mount of volumeMounts ?? []) delete mount.subPath;
    },
  },
  {
    gate: 'VolumeSubpath',
    isUsed: (pod) =>
      containersOf(pod).some(({ volumeMounts }) => volumeMounts?.some(({ subPathExpr }) => subPathExpr)),
    drop(pod) {
      for (const { volumeMounts } of containersOf(pod))
        for (const mount of volumeMounts ?? []) delete mount.subPathExpr;
    },
  },
  {
    gate: 'RunAsGroup',
    isUsed: (pod) =>
      pod.spec.securityContext?.runAsGroup !== undefined ||
      containersOf(pod).some(({ securityContext }) => securityContext?.runAsGroup !== undefined),
    drop(pod) {
      delete pod.spec.securityContext?.runAsGroup;
      for (const { securityContext } of containersOf(pod)) delete securityContext?.runAsGroup;
    },
  },
  {
    gate: 'ConfigurableFSGroupPolicy',
    isUsed: ({ spec }) => spec.securityContext?.fsGroupChangePolicy !== undefined,
    drop: ({ spec }) => void delete spec.securityContext?.fsGroupChangePolicy,
  },
  {
    gate: 'PodOverhead',
    isUsed: ({ spec }) => spec.overhead !== undefined,
    drop: ({ spec }) => void delete spec.overhead,
  },
  {
    gate: 'CSIInlineVolume',
    isUsed: (pod) => volumesOf(pod).some(({ csi }) => csi !== undefined),
    drop(pod) {
      for (const volume of volumesOf(pod)) delete volume.csi;
    },
  },
  {
    gate: 'NonPreemptingPriority',
    isUsed: ({ spec }) => spec.preemptionPolicy !== undefined,
    drop: ({ spec }) => void delete spec.preemptionPolicy,
  },
  {
    gate: 'SetHostnameAsFQDN',
    isUsed: ({ spec }) => spec.setHostnameAsFQDN !== undefined,
    drop: ({ spec }) => void delete spec.setHostnameAsFQDN,
  },
];
