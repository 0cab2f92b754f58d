import { expect } from 'chai';
import type { Taint } from '../../../../src/apis/types/core-v1.ts';
import {
  decideLabels,
  decideTaints,
  withEvictionTaint,
} from '../../../../src/controllers/node-lifecycle/decide.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const taint = (name: string, effect = 'NoSchedule'): Taint => ({ key: `node.orch.io/${name}`, effect });

describe('taints of nodes', () => {
  const cases: [string, string[], Taint[], boolean, string[] | undefined][] = [
    ['go before the agent reports', [], [taint('not-ready')], false, []],
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

describe('taints that evict', () => {
  const cases: [string, Taint[], 'not-ready' | 'unreachable' | undefined, string[] | undefined][] = [
    ['come', [], 'not-ready', ['not-ready']],
    ['take the place of one another', [taint('not-ready', 'NoExecute')], 'unreachable', ['unreachable']],
    ['stay when they are right', [taint('not-ready', 'NoExecute')], 'not-ready', undefined],
    ['go, both of them', [taint('not-ready', 'NoExecute'), taint('unreachable', 'NoExecute')], undefined, []],
    [
      'are left alone where there are none',
      [taint('mine', 'NoExecute'), taint('not-ready')],
      undefined,
      undefined,
    ],
    [
      'leave others alone',
      [taint('mine', 'NoExecute'), taint('unreachable')],
      'unreachable',
      ['mine', 'unreachable', 'unreachable'],
    ],
  ];
  for (const [what, taints, wanted, expected] of cases) {
    it(what, () => {
      const found = withEvictionTaint({ spec: { taints } }, wanted, { dialect: orchDialect, nowMs: 0 });
      expect(found?.map(({ key }) => key.replace('node.orch.io/', ''))).to.deep.equal(expected);
    });
  }
});

describe('labels of nodes that older clients read', () => {
  const cases: [string, Record<string, string>, Record<string, string> | undefined][] = [
    ['are added', { 'orch.io/os': 'linux' }, { 'beta.orch.io/os': 'linux' }],
    [
      'are corrected',
      { 'orch.io/arch': 'arm64', 'beta.orch.io/arch': 'amd64' },
      { 'beta.orch.io/arch': 'arm64' },
    ],
    ['stay when they are right', { 'orch.io/os': 'linux', 'beta.orch.io/os': 'linux' }, undefined],
    ['stay where there is no newer one', { 'beta.orch.io/os': 'linux' }, undefined],
  ];
  for (const [what, labels, expected] of cases) {
    it(what, () => expect(decideLabels({ metadata: { labels } }, orchDialect)).to.deep.equal(expected));
  }
});
