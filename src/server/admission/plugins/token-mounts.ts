import type { Pod, Volume, VolumeMount } from '../../../apis/types/core-v1.ts';
import { randomNameSuffix } from '../../../base/index.ts';

/** Mode of files that volumes hold unless they say otherwise. */
const defaultMode = 0o644;
/** Tokens of programs that are not ready for rotation count longer than they say. Source: release 1.20, `pkg/serviceaccount`. */
const expirationSeconds = 3607;

/** Mounts the token that a secret keeps into all containers that have nothing at the path. */
export function mountSecretToken(
  pod: Pod,
  { mountPath, secret }: { readonly mountPath: string; readonly secret: string },
): void {
  const volumes = pod.spec.volumes ?? [];
  const existing = volumes.find((volume) => volume.secret?.secretName === secret);
  // Names of mounts have no dots.
  const usual = secret.replaceAll('.', '-');
  const isTaken = volumes.some(({ name }) => name === usual);
  const name = existing?.name ?? (isTaken ? `${secret.slice(0, 57)}-${randomNameSuffix()}` : usual);
  const isMounted = mount(pod, { name, readOnly: true, mountPath });
  if (isMounted && existing === undefined)
    addVolume(pod, { name, secret: { secretName: secret, defaultMode } });
}

/** Mounts a token that is bound to the pod, with the authority and the namespace beside it. */
export function mountBoundToken(
  pod: Pod,
  options: { readonly mountPath: string; readonly volumePrefix: string; readonly authorityMap: string },
): void {
  const { mountPath, volumePrefix, authorityMap } = options;
  const existing = pod.spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const name = existing?.name ?? volumePrefix + randomNameSuffix();
  if (!mount(pod, { name, readOnly: true, mountPath }) || existing !== undefined) return;
  const authority = { name: authorityMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] };
  const fieldRef = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  addVolume(pod, {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: authority },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef }] } },
      ],
      defaultMode,
    },
  });
}

/** Adds the mount where a container has none at the path. False when none needs it. */
function mount({ spec }: Pod, added: VolumeMount): boolean {
  let isMounted = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === added.mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { ...added }];
    isMounted = true;
  }
  return isMounted;
}

function addVolume({ spec }: Pod, volume: Volume): void {
  spec.volumes = [...(spec.volumes ?? []), volume];
}
