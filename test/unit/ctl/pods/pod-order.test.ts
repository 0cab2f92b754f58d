import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { byActivity, byLogging, type PodOrder } from '../../../../src/ctl/pods/pod-order.ts';

interface Traits {
  readonly node?: string;
  readonly phase?: string;
  readonly readySince?: string;
  readonly restarts?: number;
  readonly created?: string;
}

function pod({ node, phase = 'Running', readySince, restarts = 0, created }: Traits): Pod {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', ...(created === undefined ? {} : { creationTimestamp: created }) },
    spec: { ...(node === undefined ? {} : { nodeName: node }) },
    status: {
      phase,
      conditions:
        readySince === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }],
      containerStatuses: [{ restartCount: 0 }, { restartCount: restarts }],
    },
  } as unknown as Pod; // as far as the order looks
}

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-02T00:00:00Z';

/** Traits of the pod that comes first, and of the other. */
const both: readonly (readonly [what: string, first: Traits, second: Traits])[] = [
  ['one on a node before one on none', { node: 'n', phase: 'Pending' }, { phase: 'Running' }],
  ['a running one before an unknown one', { phase: 'Running' }, { phase: 'Unknown', readySince: early }],
  ['an unknown one before a waiting one', { phase: 'Unknown' }, { phase: 'Pending' }],
  ['a ready one before one that is not', { readySince: late, created: late }, { created: early }],
  ['one that is ready for longer', { readySince: early }, { readySince: late, restarts: 3 }],
  ['the older one', { created: early }, { created: late }],
  ['one with a time before one without', { created: late }, {}],
];

function describeOrder(name: string, order: PodOrder, own: typeof both): void {
  describe(name, () => {
    for (const [what, first, second] of [...both, ...own]) {
      it(`puts ${what}`, () => {
        expect(order(pod(first), pod(second))).to.be.below(0);
        expect(order(pod(second), pod(first))).to.be.above(0);
      });
    }
    it('does not tell equal pods apart', () => {
      expect(order(pod({ created: early }), pod({ created: early }))).to.equal(0);
    });
  });
}

describeOrder('byLogging', byLogging, [
  ['one that was restarted more often', { restarts: 3 }, { restarts: 1 }],
  ['one that has ended as one that runs', { phase: 'Failed', created: early }, { created: late }],
]);
describeOrder('byActivity', byActivity, [
  ['one that was restarted less often', { restarts: 1 }, { restarts: 3 }],
  ['a running one before one that has ended', { created: late }, { phase: 'Failed', created: early }],
]);
