import { expect } from 'chai';
import type { StatefulSet } from '../../../../src/apis/types/apps-v1.ts';
import { asStatusWriter } from '../../../../src/controllers/stateful-set/identity.ts';

describe('a stateful set whose status is written', () => {
  const setOf = (labels: object | undefined) =>
    ({
      metadata: { name: 's' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        volumeClaimTemplates: [{ metadata: { name: 'v', labels } }],
      },
    }) as unknown as StatefulSet;
  const labelsOf = (set: StatefulSet) => set.spec.volumeClaimTemplates?.[0]?.metadata.labels;

  it('owns templates of claims that have labels, once it has pods', () => {
    const labeled = setOf({ x: 'y' });
    expect(labelsOf(asStatusWriter(labeled, { replicas: 1 }))).to.deep.equal({ x: 'y', a: 'b' });
    expect(labelsOf(labeled)).to.deep.equal({ x: 'y' });
    expect(asStatusWriter(labeled, { replicas: 0 })).to.equal(labeled);
    expect(labelsOf(asStatusWriter(setOf(undefined), { replicas: 1 }))).to.equal(undefined);
  });
});
