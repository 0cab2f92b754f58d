import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/apis/types/core-v1.ts';
import { findClaimedVolume } from '../../../../src/nodeagent/volumes/claimed-volume.ts';
import { objectsOf } from './objects.ts';

const claimOf = (
  spec: Partial<PersistentVolumeClaim['spec']> = {},
  { phase = 'Bound', deletionTimestamp }: { phase?: string; deletionTimestamp?: string } = {},
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'c', namespace: 'shop', uid: 'claim-uid', creationTimestamp: null, deletionTimestamp },
  spec: { volumeName: 'pv', resources: {}, ...spec },
  status: { phase },
});

const volumeOf = (spec: PersistentVolume['spec'] = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv', creationTimestamp: null },
  spec: { claimRef: { uid: 'claim-uid' }, ...spec },
  status: {},
});

const find = (claim?: PersistentVolumeClaim, volume?: PersistentVolume) =>
  findClaimedVolume(
    'shop',
    { claimName: 'c', readOnly: true },
    objectsOf({ claims: claim ? { c: claim } : {}, volumes: volume ? { pv: volume } : {} }),
  );

describe('findClaimedVolume', () => {
  it('finds the volume that is bound to the claim', async () => {
    const found = await find(claimOf(), volumeOf());
    expect([found.volume.metadata.name, found.isReadOnly]).to.deep.equal(['pv', true]);
  });

  for (const [message, claim, volume] of [
    ['failed to fetch PVC from API server: persistentvolumeclaims "c" not found', undefined, undefined],
    ['PVC is being deleted', claimOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), volumeOf()],
    ['PVC is not bound', claimOf({}, { phase: 'Pending' }), volumeOf()],
    ['PVC has empty pvc.Spec.VolumeName', claimOf({ volumeName: '' }), volumeOf()],
    ['failed to fetch PV pv from API server: persistentvolumes "pv" not found', claimOf(), undefined],
    [
      'found PV object pv but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim',
      claimOf(),
      volumeOf({ claimRef: undefined }),
    ],
    [
      'found PV object pv but its pv.Spec.ClaimRef.UID other does not point to claim.UID claim-uid',
      claimOf(),
      volumeOf({ claimRef: { uid: 'other' } }),
    ],
  ] as const) {
    it(`says: ${message}`, async () => {
      const error = await find(claim, volume).catch((reason) => reason);
      expect(error.message).to.equal(`error processing PVC shop/c: ${message}`);
    });
  }
});
