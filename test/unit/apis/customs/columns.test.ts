import { expect } from 'chai';
import { createColumnPrinter } from '../../../../src/apis/customs/columns.ts';
import { rawNumber } from '../../../../src/base/index.ts';

const big = rawNumber('9007199254740993');
const nowMs = Date.parse('2026-01-01T00:10:00Z');
const object = (spec: unknown) => ({
  kind: 'W',
  apiVersion: 'a/v1',
  metadata: { name: 'w', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
});
const cellOf = (type: string, value: unknown) =>
  createColumnPrinter([{ name: 'X', type, JSONPath: '.spec.x' }]).row(object({ x: value }), nowMs).cells?.[1];

describe('createColumnPrinter', () => {
  it('shows name and age where a definition has no columns', () => {
    const { columns, row } = createColumnPrinter([]);
    expect(columns.map(({ name, type, format }) => [name, type, format])).to.deep.equal([
      ['Name', 'string', 'name'],
      ['Age', 'date', ''],
    ]);
    expect(row(object({}), nowMs).cells).to.deep.equal(['w', '10m']);
  });

  const cells: readonly [string, unknown, unknown][] = [
    ['string', 'a', 'a'],
    ['string', 5, '5'],
    ['string', 1234567.5, '1.2345675e+06'],
    ['string', ['a', '<'], '["a","\\u003c"]'],
    ['string', null, '<no value>'],
    ['integer', 3, 3],
    ['integer', 3.9, 3],
    ['integer', big, big],
    ['number', big, 9007199254740992],
    ['string', big, '9007199254740993'],
    ['string', 1000000.5, '1.0000005e+06'],
    ['integer', '3', null],
    ['integer', rawNumber('9007199254740993'), rawNumber('9007199254740993')],
    ['integer', 1e21, rawNumber('-9223372036854775808')],
    ['number', 1.5, 1.5],
    ['number', rawNumber('9007199254740993'), 9007199254740992],
    ['boolean', true, true],
    ['boolean', 'true', null],
    ['date', '2026-01-01T00:05:00Z', '5m'],
    ['date', 'yesterday', '<invalid>'],
    ['date', 7, null],
    ['other', 'a', null],
  ];
  for (const [type, value, cell] of cells) {
    it(`shows ${JSON.stringify(value)} in a column of type ${type} as ${JSON.stringify(cell)}`, () => {
      expect(cellOf(type, value)).to.deep.equal(cell);
    });
  }

  it('gives up paths that go through too much', () => {
    const nested = `.spec.x}${'{range .spec.x[*]}'.repeat(60)}{.spec.x`;
    const printer = createColumnPrinter([{ name: 'X', type: 'integer', JSONPath: nested }]);
    const x = [1, 2, 3].map(() => ({ spec: { x: [1, 2, 3] } }));
    expect(printer.row(object({ x }), nowMs).cells).to.deep.equal(['w', null]);
  });

  it('leaves cells empty whose path leads nowhere', () => {
    expect(cellOf('string', undefined)).to.equal(null);
  });

  it('ends before the first column whose path is none', () => {
    const broken = createColumnPrinter([
      { name: 'X', type: 'string', JSONPath: '.spec.x' },
      { name: 'Y', type: 'string', JSONPath: '.spec[' },
      { name: 'Z', type: 'string', JSONPath: '.spec.z' },
    ]);
    expect(broken.columns.map(({ name }) => name)).to.deep.equal(['Name', 'X']);
    expect(broken.row(object({ x: 'a', z: 'b' }), nowMs).cells).to.deep.equal(['w', 'a']);
  });
});
