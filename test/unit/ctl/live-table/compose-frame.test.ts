import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { plainColours } from '../../../../src/config/index.ts';
import { composeFrame, momentMs, shareLines } from '../../../../src/ctl/live-table/compose-frame.ts';
import { LiveTable } from '../../../../src/ctl/live-table/live-table.ts';
import { toCellText } from '../../../../src/ctl/printers/text-table.ts';

const marks = { changed: (text: string) => `[${text}]`, gone: (text: string) => `~${text}~` };
const base = { notice: '', hasHeaders: true, colours: plainColours, marks };
const wide = { columns: 80, rows: 24 };

const row = (name: string, ...cells: readonly string[]) => ({
  key: `default/${name}`,
  cells: [name, ...cells],
  creationTime: undefined,
  object: undefined,
});

function tableOf(...rows: readonly (readonly [string, ...string[]])[]): LiveTable {
  const table = new LiveTable();
  table.setHeadings(['NAME', 'STATUS']);
  table.load(
    rows.map(([name, ...cells]) => row(name, ...cells)),
    0,
  );
  return table;
}

describe('composeFrame', () => {
  it('lays rows out in order, and lets changed cells stand out for a moment', () => {
    const table = tableOf(['b', 'Pending'], ['a', 'Running']);
    const show = (nowMs: number) => composeFrame({ ...base, tables: [table] }, { size: wide, nowMs });
    expect(show(0)).to.deep.equal(['NAME   STATUS', 'a      Running', 'b      Pending']);
    table.upsert(row('b', 'Running'), 1000);
    table.upsert(row('a', 'Running'), 1000);
    expect(show(1500)).to.deep.equal(['NAME   STATUS', 'a      Running', 'b      [Running]']);
    expect(show(1000 + momentMs)[2]).to.equal('b      Running');
  });

  it('strikes out what went, until it is swept away', () => {
    const table = tableOf(['a', 'Running'], ['b', 'Running']);
    table.remove('default/a', 1000);
    const show = (isLast: boolean) =>
      composeFrame({ ...base, tables: [table] }, { size: wide, nowMs: 1500, isLast });
    expect(show(false)).to.deep.equal(['NAME   STATUS', '~a~      ~Running~', 'b      Running']);
    expect(show(true)).to.deep.equal(['NAME   STATUS', 'b      Running']);
    table.sweep(1000);
    expect(show(false)).to.deep.equal(show(true));
  });

  it('shows a row again that went and came back', () => {
    const table = tableOf(['a', 'Running']);
    table.remove('default/a', 1000);
    table.upsert(row('a', 'Pending'), 1100);
    table.sweep(5000);
    expect(composeFrame({ ...base, tables: [table] }, { size: wide, nowMs: 9000 })).to.deep.equal([
      'NAME   STATUS',
      'a      Pending',
    ]);
  });

  it('keeps what changed last where rows are too many, and counts the others', () => {
    const table = tableOf(['a', '1'], ['b', '1'], ['c', '1'], ['d', '1'], ['e', '1']);
    table.upsert(row('d', '2'), 1000);
    const lines = composeFrame({ ...base, tables: [table] }, { size: { columns: 80, rows: 5 }, nowMs: 9000 });
    expect(lines).to.deep.equal(['NAME   STATUS', 'a      1', 'd      2', '... and 3 more']);
  });

  it('divides the screen among the types', () => {
    const many = tableOf(...Array.from({ length: 30 }, (_, index) => [`m${index}`, 'x'] as const));
    const few = tableOf(['f', 'x']);
    const empty = tableOf();
    const lines = composeFrame(
      { ...base, tables: [many, few, empty] },
      { size: { columns: 80, rows: 10 }, nowMs: 0 },
    );
    expect(lines).to.have.length(9);
    expect(lines.slice(-4)).to.deep.equal(['... and 26 more', '', 'NAME   STATUS', 'f      x']);
    expect(shareLines([30, 2, 5], 16)).to.deep.equal([9, 2, 5]);
  });

  it('lets ages go on, which is no change', () => {
    const table = new LiveTable();
    table.setHeadings(['NAME', 'AGE']);
    const created = '2026-01-01T00:00:00Z';
    const startMs = Date.parse(created);
    table.load(
      [{ ...row('a', '5s'), creationTime: created }, row('b', '2m'), row('c', '<unknown>')],
      startMs + 5000,
    );
    table.upsert({ ...row('a', '8s'), creationTime: created }, startMs + 8000);
    const lines = composeFrame({ ...base, tables: [table] }, { size: wide, nowMs: startMs + 9000 });
    expect(lines).to.deep.equal(['NAME   AGE', 'a      9s', 'b      2m4s', 'c      <unknown>']);
  });

  it('counts from the age that a server of another clock tells', () => {
    const table = new LiveTable();
    table.setHeadings(['NAME', 'AGE']);
    table.load([{ ...row('a', '5s'), creationTime: '2026-01-01T00:00:00Z' }], 0);
    expect(composeFrame({ ...base, tables: [table] }, { size: wide, nowMs: 3000 })[1]).to.equal('a      8s');
  });

  it('takes out after a new list what that lacks, of its own target only', () => {
    const table = tableOf(['a', '1'], ['b', '1'], ['c', '1']);
    table.relist([row('b', '1')], (key) => key !== 'default/c', 1000);
    const lines = composeFrame({ ...base, tables: [table] }, { size: wide, nowMs: 1000 });
    expect(lines).to.deep.equal(['NAME   STATUS', '~a~      ~1~', 'b      1', 'c      1']);
  });

  it('cuts at the width, whatever is in the cells', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom('日', '👩‍👩‍👧', '\u0301', '\u202e', '\u001b[2J', 'a', '\u009b1m'),
        maxLength: 40,
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 8 }),
        (rows, columns, height) => {
          const table = new LiveTable();
          table.setHeadings(['NAME', 'A', 'B']);
          table.load(
            rows.map((cells, index) => row(`${index}`, ...cells.slice(1).map(toCellText))),
            0,
          );
          const lines = composeFrame(
            { ...base, tables: [table], notice: 'lost' },
            { size: { columns, rows: height }, nowMs: 0 },
          );
          expect(lines.length).to.be.at.most(Math.max(height - 1, 2));
          for (const line of lines) {
            expect(stringWidth(stripVTControlCharacters(line)), JSON.stringify(line)).to.be.at.most(columns);
            expect(line).to.not.match(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028]/u);
          }
        },
      ),
    );
  });

  it('says that something is missing', () => {
    const table = tableOf(['a-rather-long-name', 'Running']);
    const show = (columns: number) =>
      composeFrame({ ...base, tables: [table] }, { size: { columns, rows: 9 }, nowMs: 0 })[1];
    expect(show(10)).to.equal('a-rather-…');
    expect(show(20)).to.equal('a-rather-long-name …');
    expect(show(24)).to.equal('a-rather-long-name   Ru…');
    table.upsert(row('b', '日本日本'), 0);
    expect(
      composeFrame(
        { ...base, tables: [table], marks: { ...marks, changed: (x) => x } },
        { size: { columns: 26, rows: 9 }, nowMs: 0 },
      )[2],
    ).to.equal(`b${' '.repeat(20)}日本…`);
  });
});
