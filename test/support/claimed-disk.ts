import type { PersistentVolume, PersistentVolumeClaim } from '../../src/apis/types/core-v1.ts';

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'claim', uid: 'claim-uid' },
  spec: { volumeName: 'pv', resources: {} },
  status: { phase: 'Bound' },
};

/** A claim `claim`, bound to a persistent volume `pv` of this kind. */
export const claimOf = (
  spec: PersistentVolume['spec'],
  metadata: Partial<PersistentVolume['metadata']> = {},
): { claims: Record<'claim', PersistentVolumeClaim>; volumes: Record<'pv', PersistentVolume> } => ({
  claims: { claim },
  volumes: {
    pv: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv', ...metadata },
      spec: { claimRef: { uid: 'claim-uid' }, ...spec },
      status: {},
    },
  },
});
