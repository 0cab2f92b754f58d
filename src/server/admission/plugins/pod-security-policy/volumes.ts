import { everyContainer } from '../../../../apis/core/index.ts';
import type { Pod, ProjectedVolumeSource, Volume } from '../../../../apis/types/core-v1.ts';
import type { AllowedHostPath, PodSecurityPolicySpec } from '../../../../apis/types/policy-v1beta1.ts';
import type { Dialect } from '../../../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
} from '../../../../machinery/errors/index.ts';

const listPath = fieldPath('spec', 'volumes');

/** Errors of a pod's volumes: their kinds, and what the policy says of paths and drivers. */
export function volumeErrors(pod: Pod, policy: PodSecurityPolicySpec, dialect: Dialect): FieldError[] {
  return (pod.spec.volumes ?? []).flatMap((volume, index) => {
    const path = listPath.index(index);
    const kind = kindOf(volume);
    if (!isKindAllowed(kind, volume, policy.volumes ?? [], dialect)) {
      return [invalidValue(path, kind, `${kind} volumes are not allowed to be used`)];
    }
    return sourceErrors(pod, volume, policy, path);
  });
}

/** The kind of a volume as policies name it; the first source counts, and defaults give every volume one. */
function kindOf({ name: _, ...sources }: Volume): string {
  const [field = ''] = Object.entries(sources).find(([, source]) => source !== undefined) ?? [];
  return field === 'cephfs' ? 'cephFS' : field;
}

function isKindAllowed(
  kind: string,
  { projected }: Volume,
  allowed: readonly string[],
  dialect: Dialect,
): boolean {
  if (allowed.includes('*') || allowed.includes(kind)) return true;
  // What the server mounts for a service account is a secret, in whatever form it comes.
  return projected !== undefined && allowed.includes('secret') && isAccountToken(projected, dialect);
}

/** Whether a volume has nothing but what the server projects for a service account. */
function isAccountToken({ sources }: ProjectedVolumeSource, dialect: Dialect): boolean {
  return (sources ?? []).every(({ serviceAccountToken: token, configMap, downwardAPI, secret }) => {
    if (secret !== undefined || !(token ?? configMap ?? downwardAPI)) return false;
    if (token !== undefined && (token.path !== 'token' || token.audience)) return false;
    if (configMap !== undefined && configMap.name !== dialect.rootCaConfigMap) return false;
    return (downwardAPI?.items ?? []).every(
      ({ path, fieldRef }) =>
        path === 'namespace' && fieldRef?.apiVersion === 'v1' && fieldRef.fieldPath === 'metadata.namespace',
    );
  });
}

function sourceErrors(
  pod: Pod,
  volume: Volume,
  policy: PodSecurityPolicySpec,
  path: FieldPath,
): FieldError[] {
  const { hostPath, flexVolume, csi } = volume;
  if (hostPath !== undefined) return hostPathErrors(pod, volume.name, hostPath.path, policy, path);
  const flexDrivers = (policy.allowedFlexVolumes ?? []).map(({ driver }) => driver);
  if (flexVolume !== undefined && flexDrivers.length > 0 && !flexDrivers.includes(flexVolume.driver)) {
    const detail = 'Flexvolume driver is not allowed to be used';
    return [invalidValue(path.child('driver'), flexVolume.driver, detail)];
  }
  const csiDrivers = (policy.allowedCSIDrivers ?? []).map(({ name }) => name);
  if (csi !== undefined && csiDrivers.length > 0 && !csiDrivers.includes(csi.driver)) {
    const detail = 'Inline CSI driver is not allowed to be used';
    return [invalidValue(path.child('csi', 'driver'), csi.driver, detail)];
  }
  return [];
}

/** A path may be used when one entry allows it, and written when one of those is not for reading only. */
function hostPathErrors(
  { spec }: Pod,
  volumeName: string,
  hostPath: string,
  { allowedHostPaths = [] }: PodSecurityPolicySpec,
  path: FieldPath,
): FieldError[] {
  if (allowedHostPaths.length === 0) return [];
  const fitting = allowedHostPaths.filter((allowed) => isBelow(hostPath, allowed));
  if (fitting.length === 0) {
    return [invalidValue(path.child('hostPath', 'pathPrefix'), hostPath, 'is not allowed to be used')];
  }
  if (fitting.some(({ readOnly }) => readOnly !== true)) return [];
  return everyContainer(spec).flatMap(({ container, list, position }) => {
    const mounts = fieldPath('spec', list).index(position).child('volumeMounts');
    return (container.volumeMounts ?? []).flatMap(({ name, readOnly }, index) =>
      name === volumeName && readOnly !== true
        ? [invalidValue(mounts.index(index).child('readOnly'), false, 'must be read-only')]
        : [],
    );
  });
}

/** Whether a path is the prefix or below it; one slash at the end of either counts for nothing. */
function isBelow(path: string, { pathPrefix = '' }: AllowedHostPath): boolean {
  const prefix = pathPrefix.replace(/\/$/, '');
  const shorn = path.replace(/\/$/, '');
  return shorn === prefix || shorn.startsWith(`${prefix}/`);
}
