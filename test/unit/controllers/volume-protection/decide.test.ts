import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  decideClaimFinalizer,
  decideVolumeFinalizer,
  type FinalizerChange,
} from '../../../../src/controllers/volume-protection/decide.ts';

const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const kept = { finalizers: ['keep', 'other'] };

const pod = (claimName: string, nodeName?: string, phase = 'Running'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [], nodeName, volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] },
  status: { phase },
});

describe('the finalizer of claims and volumes', () => {
  const claims: [string, object, Pod[], FinalizerChange][] = [
    ['comes back', {}, [], 'add'],
    ['stays', kept, [], undefined],
    ['does not come to what is going', going, [], undefined],
    ['goes with the last pod', { ...going, ...kept }, [], 'remove'],
    ['goes in spite of pods of other claims', { ...going, ...kept }, [pod('other', 'n')], 'remove'],
    ['goes in spite of pods that are on no node', { ...going, ...kept }, [pod('c')], 'remove'],
    ['stays for a pod on a node', { ...going, ...kept }, [pod('c', 'n')], undefined],
    ['stays for a pod that has ended', { ...going, ...kept }, [pod('c', 'n', 'Succeeded')], undefined],
  ];
  for (const [what, metadata, pods, change] of claims) {
    it(`of a claim ${what}`, () => {
      const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c', ...metadata } };
      const whole = { ...claim, spec: { resources: {} }, status: {} };
      expect(decideClaimFinalizer(whole, 'keep', pods)).to.equal(change);
    });
  }
  const volumes: [string, object, string, FinalizerChange][] = [
    ['comes back', {}, 'Available', 'add'],
    ['stays while it is bound', { ...going, ...kept }, 'Bound', undefined],
    ['goes when it is released', { ...going, ...kept }, 'Released', 'remove'],
  ];
  for (const [what, metadata, phase, change] of volumes) {
    it(`of a volume ${what}`, () => {
      const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v', ...metadata } };
      expect(decideVolumeFinalizer({ ...volume, spec: {}, status: { phase } }, 'keep')).to.equal(change);
    });
  }
});
