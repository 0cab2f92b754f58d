import { expect } from 'chai';
import type { TableDocument } from '../../../../src/ctl/printers/table-document.ts';
import { type Entry, growTree, listBranches, readEntries } from '../../../../src/ctl/tree/owned.ts';

const entry = (name: string, ...owners: readonly string[]): Entry => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' },
  ...{ title: `configmap/${name}`, name, uid: name, ready: '', status: '', creationTimestamp: '' },
  owners: owners.map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid })),
});
const draw = (root: Entry, entries: readonly Entry[]): string[] =>
  listBranches(growTree(root, entries)).map(({ lead, branch }) => lead + branch.name);

describe('growTree', () => {
  it('has what an object owns below it, in the order of names, with lines that lead there', () => {
    const entries = [entry('b', 'a'), entry('d', 'b'), entry('c', 'a'), entry('e', 'b'), entry('f', 'c')];
    expect(draw(entry('a'), [...entries].reverse())).to.deep.equal([
      'a',
      '├─ b',
      '│  ├─ d',
      '│  └─ e',
      '└─ c',
      '   └─ f',
    ]);
  });

  it('has an object below each of its owners, and what it owns below the first', () => {
    const entries = [entry('b', 'a'), entry('c', 'a'), entry('x', 'b', 'c'), entry('y', 'x')];
    expect(draw(entry('a'), entries)).to.deep.equal([
      'a',
      '├─ b',
      '│  └─ x',
      '│     └─ y',
      '└─ c',
      '   └─ x',
    ]);
  });

  it('ends circles of owners, and shows once what is served in two groups', () => {
    expect(draw(entry('a', 'b'), [entry('a', 'b'), entry('b', 'a'), entry('b', 'a')])).to.deep.equal([
      'a',
      '└─ b',
      '   └─ a',
    ]);
  });

  it('says where more than a hundred levels are left out', () => {
    const chain = Array.from({ length: 5000 }, (_, index) => entry(`${index + 1}`, `${index}`));
    const branches = listBranches(growTree(entry('0'), chain));
    expect(branches).to.have.length(100);
    expect(branches.at(-1)?.branch).to.include({ name: '99', status: 'owns 1 more' });
  });
});

describe('readEntries', () => {
  const table = (columns: TableDocument['columns'], rows: TableDocument['rows']): TableDocument => ({
    ...{ columns, rows, resourceVersion: '', continueToken: '' },
  });
  const type = { apiVersion: 'batch/v1', kind: 'Job', kindName: 'job.batch' };
  const columns = (...names: readonly string[]) =>
    names.map((name) => ({ name, type: 'string', format: '', priority: 0 }));

  it('takes readiness and status from the columns of the table', () => {
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'o', controller: true };
    const metadata = { name: 'one', namespace: 'n', uid: 'u', ownerReferences: [owner] };
    const rows = [{ cells: ['one', '0/1', '3s'], object: { metadata } }];
    const [read] = readEntries(table(columns('Name', 'Completions', 'Duration'), rows), type);
    expect(read).to.deep.include({ title: 'job.batch/one', ready: '0/1', status: '', uid: 'u' });
    expect(read?.owners).to.deep.equal([
      { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'o' },
    ]);
  });

  it('leaves out rows that do not say of what they are', () => {
    const rows = [
      { cells: ['a'], object: {} },
      { cells: ['b'], object: undefined },
    ];
    expect(readEntries(table(columns('Name'), rows), type)).to.deep.equal([]);
  });
});
