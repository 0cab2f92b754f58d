import type { RuleContext } from '../../kind-rules.ts';
import type { PodSpec } from '../../types/core-v1.ts';
import { everyContainer } from './every-container.ts';

/**
 * Drops fields whose feature gate is off, unless the object before the update used them already. `old` is
 * undefined on creation.
 */
export function dropGatedPodFields(spec: PodSpec, old: PodSpec | undefined, context: RuleContext): void {
  const { gates } = context;
  if (!gates.has('ProcMountType') && !(old && usesProcMount(old))) resetProcMount(spec);
  if (spec.volumes && !gates.has('GenericEphemeralVolume') && !(old && usesEphemeralVolumes(old))) {
    for (const volume of spec.volumes) delete volume.ephemeral;
  }
  if (spec.ephemeralContainers && !gates.has('EphemeralContainers') && !old?.ephemeralContainers?.length) {
    delete spec.ephemeralContainers;
  }
}

const usesProcMount = (spec: PodSpec): boolean =>
  everyContainer(spec).some(({ container }) => {
    const mount = container.securityContext?.procMount;
    return mount !== undefined && mount !== 'Default';
  });

function resetProcMount(spec: PodSpec): void {
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    if (!list) continue;
    for (const { securityContext } of list) {
      if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default';
    }
  }
}

const usesEphemeralVolumes = (spec: PodSpec): boolean =>
  (spec.volumes ?? []).some((volume) => volume.ephemeral !== undefined);
