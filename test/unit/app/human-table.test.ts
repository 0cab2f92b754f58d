import { expect } from 'chai';
import { renderTable } from '../../../src/app/human-table.ts';

const table = {
  head: ['NAME', 'SIZE'],
  rows: [
    ['first', '1'],
    ['second one', '20'],
  ],
};

describe('renderTable', () => {
  it('aligns columns where nobody looks at a terminal', async () => {
    expect(await renderTable(table, { outputColumns: undefined })).to.equal(
      'NAME        SIZE\nfirst       1\nsecond one  20\n',
    );
  });

  it('draws lines on a terminal, and no colours', async () => {
    expect(await renderTable(table, { outputColumns: 80 })).to.equal(
      [
        '┌────────────┬──────┐',
        '│ NAME       │ SIZE │',
        '├────────────┼──────┤',
        '│ first      │ 1    │',
        '│ second one │ 20   │',
        '└────────────┴──────┘',
        '',
      ].join('\n'),
    );
  });
});
