import { expect } from 'chai';
import type { PersistentVolumeClaim, Pod } from '../../../../src/apis/types/core-v1.ts';
import { missingClaims } from '../../../../src/controllers/ephemeral-volumes/decide.ts';
import { decideClaimFinalizer } from '../../../../src/controllers/volume-protection/decide.ts';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const pod = (metadata: object = {}) =>
  ({
    metadata: { namespace: 'n', name: 'p', uid: 'u', ...metadata },
    spec: {
      nodeName: 'node',
      volumes: [
        { name: 'named', persistentVolumeClaim: { claimName: 'c' } },
        { name: 'own', ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec } } },
      ],
    },
  }) as unknown as Pod;
const claim = (uid: string, metadata: object = {}) =>
  ({
    metadata: {
      namespace: 'n',
      name: 'p-own',
      uid: 'claim',
      ownerReferences: [{ uid, controller: true }],
      ...metadata,
    },
  }) as unknown as PersistentVolumeClaim;

describe('the claims of ephemeral volumes', () => {
  it('are made as their template says, for their pod', () => {
    const [missing, ...others] = missingClaims(pod(), () => undefined);
    expect(others).to.deep.equal([]);
    expect(missing).to.deep.include({ volume: 'own' });
    expect(missing?.claim).to.deep.include({ spec });
    if (missing === undefined || missing.claim instanceof Error) throw new Error('no claim');
    const { metadata } = missing.claim;
    expect(metadata).to.deep.include({ name: 'p-own', labels: { a: 'b' } });
    expect(metadata.ownerReferences?.[0]).to.include({ kind: 'Pod', uid: 'u', controller: true });
  });

  it('are made once', () => {
    expect(missingClaims(pod(), () => claim('u'))).to.deep.equal([]);
  });

  it('are not those of others', () => {
    const [missing] = missingClaims(pod(), () => claim('other'));
    expect(missing?.claim).to.be.an('error');
    expect(String(missing?.claim)).to.equal(
      'Error: PVC "n/p-own" (uid: "claim") was not created for the pod',
    );
  });

  it('stay until their pod is shut down', () => {
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['f'] };
    const finalizerOf = (uid: string, metadata: object = {}) =>
      decideClaimFinalizer(claim(uid, going), 'f', [pod(metadata)]);
    expect(finalizerOf('u')).to.equal(undefined);
    expect(finalizerOf('other')).to.equal('remove');
    expect(finalizerOf('u', { ...going, deletionGracePeriodSeconds: 0 })).to.equal('remove');
    expect(finalizerOf('u', { ...going, deletionGracePeriodSeconds: 5 })).to.equal(undefined);
  });
});
