import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { decideGarbage } from '../../../../src/controllers/pod-gc/decide.ts';

const pod = (name: string, phase: string, { node = 'here', minute = 0, metadata = {} } = {}) =>
  ({
    metadata: { name, creationTimestamp: `2026-01-01T00:0${minute}:00Z`, ...metadata },
    spec: { nodeName: node },
    status: { phase },
  }) as unknown as Pod;
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('pods that are garbage', () => {
  const ended = [
    pod('young', 'Succeeded', { minute: 3 }),
    pod('old', 'Failed', { minute: 1 }),
    pod('middle', 'Succeeded', { minute: 2 }),
    pod('runs', 'Running'),
    pod('unknown', 'Unknown'),
  ];
  const cases: [string, Pod[], number, string[]][] = [
    ['are the oldest that ended beyond the threshold', ended, 1, ['old', 'middle']],
    ['are none up to the threshold', ended, 3, []],
    ['are none of those that ended without a threshold', ended, 0, []],
    [
      'are those of nodes that are gone',
      [pod('a', 'Running', { node: 'gone' }), pod('b', 'Running')],
      5,
      ['a'],
    ],
    [
      'are those that are going and were never on a node',
      [
        pod('a', 'Pending', { node: '', metadata: going }),
        pod('b', 'Pending', { node: '' }),
        pod('c', 'Running', { metadata: going }),
      ],
      5,
      ['a'],
    ],
    ['are told once', [pod('a', 'Failed', { node: 'gone' }), pod('b', 'Failed', { minute: 1 })], 1, ['a']],
  ];
  for (const [what, pods, threshold, expected] of cases) {
    it(what, () => {
      const found = decideGarbage({ pods, threshold, lostNodes: new Set(['gone']) });
      expect(found.map(({ metadata }) => metadata.name)).to.deep.equal(expected);
    });
  }
});
