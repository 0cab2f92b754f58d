import { expect } from 'chai';
import { CtlError } from '../../../../src/ctl/errors.ts';
import { formatObjectNames } from '../../../../src/ctl/printers/object-names.ts';

const pod = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } });

describe('formatObjectNames', () => {
  const cases: [what: string, value: unknown, names: string[]][] = [
    ['an object', pod('a'), ['pod/a']],
    [
      'a group',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w' } },
      ['deployment.apps/w'],
    ],
    ['no metadata', { apiVersion: 'v1', kind: 'Pod' }, ['pod/<unknown>']],
    ['no map as metadata', { apiVersion: 'v1', kind: 'Pod', metadata: null }, ['pod/<unknown>']],
    ['an empty name', pod(''), ['pod/<unknown>']],
    [
      'a list of anything',
      { apiVersion: 'v1', kind: 'List', items: [pod('a'), pod('b')] },
      ['pod/a', 'pod/b'],
    ],
    [
      'items without kind',
      { apiVersion: 'v1', kind: 'PodList', items: [{ metadata: { name: 'a' } }] },
      ['pod/a'],
    ],
    [
      'items that say what they are',
      {
        apiVersion: 'v1',
        kind: 'PodList',
        items: [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w' } }],
      },
      ['deployment.apps/w'],
    ],
    [
      'lists in a list',
      { kind: 'List', items: [{ kind: 'List', items: [pod('a')] }, pod('b')] },
      ['pod/a', 'pod/b'],
    ],
    ['an empty list', { apiVersion: 'v1', kind: 'PodList', items: [] }, []],
    ['an object that has items', { ...pod('a'), items: [1, 2] }, ['pod/a']],
  ];
  for (const [what, value, names] of cases) {
    it(`knows ${what}`, () => {
      expect(formatObjectNames(value)).to.deep.equal(names);
    });
  }

  for (const value of [null, 1, 'x', {}, { kind: 'Pod' }, { kind: 'List', items: [{ metadata: {} }] }]) {
    it(`refuses ${JSON.stringify(value)}`, () => {
      expect(() => formatObjectNames(value)).to.throw(CtlError, 'the object has no apiVersion or kind');
    });
  }

  it('refuses lists that lie too deep', () => {
    let list: unknown = pod('a');
    for (let depth = 0; depth < 50_000; depth++) list = { kind: 'List', items: [list] };
    expect(() => formatObjectNames(list)).to.throw(CtlError, 'lists lie deeper than 16');
  });
});
