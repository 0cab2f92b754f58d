import { claimsOfPod, isPodTerminated } from '../../apis/core/index.ts';
import type { PersistentVolume, Pod } from '../../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { BinderState } from './state.ts';

/** Where pods that empty volumes run. */
export const recyclingNamespace = 'default';

/** How long a pod may take: so many seconds for each gibibyte, and at least the lower bound. */
const times = { hostPath: { perGibibyte: 30, min: 60 }, nfs: { perGibibyte: 30, min: 300 } };

const script =
  'test -e /scrub && rm -rf /scrub/..?* /scrub/.[!.]* /scrub/*  && test -z "$(ls -A /scrub)" || exit 1';

/** The pod that empties a volume; undefined for kinds of volumes that cannot be emptied so. Pure. Source: release 1.20, `Recycle`. */
export function recyclingPodOf({ metadata, spec }: PersistentVolume): Pod | undefined {
  const { hostPath, nfs } = spec;
  const kind = hostPath === undefined ? 'nfs' : 'hostPath';
  const source = hostPath
    ? { hostPath: { path: hostPath.path } }
    : nfs && { nfs: { server: nfs.server, path: nfs.path } };
  if (source === undefined) return undefined;
  const { perGibibyte, min } = times[kind];
  const bytes = BigInt(quantityValue(parseQuantity(spec.capacity?.storage ?? '0'), 0));
  const activeDeadlineSeconds = Math.max(min, Number(bytes >> 30n) * perGibibyte);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `recycler-for-${metadata.name}`, namespace: recyclingNamespace },
    spec: {
      activeDeadlineSeconds,
      restartPolicy: 'Never',
      volumes: [{ name: 'vol', ...source }],
      containers: [
        {
          name: 'pv-recycler',
          image: 'busybox:1.27',
          command: ['/bin/sh'],
          args: ['-c', script],
          resources: {},
          volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
        },
      ],
    },
    status: {},
  };
}

/** Pods that still use a volume whose claim is gone, as `namespace/name`. */
export function usersOf({ spec: { claimRef } }: PersistentVolume, { podsIn }: BinderState): string[] {
  return podsIn(claimRef?.namespace ?? '')
    .filter((pod) => !isPodTerminated(pod) && claimsOfPod(pod).some(({ name }) => name === claimRef?.name))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
}
