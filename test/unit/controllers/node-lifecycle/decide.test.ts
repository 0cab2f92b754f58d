import { expect } from 'chai';
import type { Taint } from '../../../../src/apis/types/core-v1.ts';
import { decideTaints } from '../../../../src/controllers/node-lifecycle/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const taint = (name: string, effect = 'NoSchedule'): Taint => ({ key: `node.orch.io/${name}`, effect });

describe('taints of nodes', () => {
  const cases: [string, string[], Taint[], boolean, string[] | undefined][] = [
    ['stay before the agent reports', [], [taint('not-ready')], false, undefined],
    ['go when the node is ready', ['Ready=True'], [taint('not-ready')], false, []],
    ['stay when they are right', ['Ready=False'], [taint('not-ready')], false, undefined],
    ['change with the condition', ['Ready=Unknown'], [taint('not-ready')], false, ['unreachable']],
    [
      'tell every pressure',
      ['Ready=True', 'MemoryPressure=True', 'DiskPressure=False', 'PIDPressure=True'],
      [],
      false,
      ['memory-pressure', 'pid-pressure'],
    ],
    [
      'tell of a missing network',
      ['Ready=True', 'NetworkUnavailable=True'],
      [],
      false,
      ['network-unavailable'],
    ],
    ['tell of cordoned nodes', ['Ready=True'], [], true, ['unschedulable']],
    ['of others stay', ['Ready=True'], [taint('mine'), taint('not-ready', 'NoExecute')], false, undefined],
  ];
  for (const [what, reported, taints, unschedulable, expected] of cases) {
    it(what, () => {
      const conditions = reported.map((text) => {
        const [type = '', status = ''] = text.split('=');
        return { type, status };
      });
      const node = { spec: { taints, unschedulable }, status: { conditions } };
      const found = decideTaints(node, orchDialect, 0);
      expect(found?.map(({ key }) => key.replace('node.orch.io/', ''))).to.deep.equal(expected);
    });
  }
});
