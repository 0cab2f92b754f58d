import { expect } from 'chai';
import type { FieldData } from '../../../../src/machinery/schema/index.ts';
import { compileFields } from './support/types.ts';

const absent = Symbol('absent');

interface Row {
  readonly type: string;
  readonly flags?: Partial<Pick<FieldData, 'ptr' | 'omit'>>;
  /** What the canonical form has for a value; `absent` stands for no member. */
  readonly values: readonly (readonly [given: unknown, written: unknown])[];
}

const rows: readonly Row[] = [
  {
    type: 'string',
    values: [
      [absent, ''],
      [null, ''],
      ['', ''],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [null, absent],
      ['', absent],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [null, absent],
      ['', ''],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { ptr: 1 },
    values: [
      [absent, null],
      [null, null],
      ['', ''],
    ],
  },
  {
    type: 'int32',
    values: [
      [absent, 0],
      [0, 0],
      [-5, -5],
    ],
  },
  {
    type: 'int32',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [0, absent],
      [7, 7],
    ],
  },
  {
    type: 'int64',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [0, 0],
    ],
  },
  {
    type: 'bool',
    values: [
      [absent, false],
      [true, true],
    ],
  },
  {
    type: 'bool',
    flags: { omit: 1 },
    values: [
      [false, absent],
      [true, true],
    ],
  },
  {
    type: 'bytes',
    values: [
      [absent, null],
      [null, null],
      ['AA==', 'AA=='],
    ],
  },
  {
    type: 'list<string>',
    values: [
      [absent, null],
      [null, null],
      // Stored lists that are empty come back as absent.
      [[], null],
      [['a'], ['a']],
      [[null], ['']],
    ],
  },
  {
    type: 'list<string>',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [[], absent],
      [
        ['b', 'a'],
        ['b', 'a'],
      ],
    ],
  },
  {
    type: 'map<string,string>',
    values: [
      [absent, null],
      [{}, null],
      [{ a: '' }, { a: '' }],
    ],
  },
  {
    type: 'map<string,string>',
    flags: { omit: 1 },
    values: [
      [{}, absent],
      [{ a: null }, { a: '' }],
    ],
  },
  {
    type: 'x/v1.Item',
    flags: { omit: 1 },
    values: [
      // Structs know no emptiness.
      [absent, { name: '' }],
      [null, { name: '' }],
      [{}, { name: '' }],
      [{ size: 1 }, { name: '', size: 1 }],
    ],
  },
  {
    type: 'x/v1.Item',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [{}, { name: '' }],
    ],
  },
  {
    type: 'list<x/v1.Item>',
    values: [
      [
        [null, { size: 0 }],
        [{ name: '' }, { name: '' }],
      ],
    ],
  },
  {
    type: 'Time',
    values: [
      [absent, null],
      ['0001-01-01T00:00:00Z', null],
      ['2020-01-01T01:00:00+01:00', '2020-01-01T00:00:00Z'],
    ],
  },
  {
    type: 'Time',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      ['0001-01-01T00:00:00Z', absent],
    ],
  },
  {
    type: 'Quantity',
    values: [
      [absent, '0'],
      ['1000m', '1'],
    ],
  },
  {
    type: 'any',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [false, false],
      [{ b: [1, null] }, { b: [1, null] }],
    ],
  },
];

describe('canonical form of one field', () => {
  for (const { type, flags = {}, values } of rows) {
    const title = `${type}${flags.ptr ? ' that may be null' : ''}${flags.omit ? ', left out when empty' : ''}`;
    const compiled = compileFields([{ n: 'f', t: type, ...flags }]);
    for (const [given, written] of values) {
      const shown = (value: unknown): string => (value === absent ? 'nothing' : JSON.stringify(value));
      it(`${title}: ${shown(given)} becomes ${shown(written)}`, () => {
        const decoded = compiled.decode(given === absent ? {} : { f: given });
        expect(decoded).to.deep.equal(written === absent ? {} : { f: written });
      });
    }
  }

  it('keeps an empty list of items, since lists of objects are never stored', () => {
    const compiled = compileFields([{ n: 'items', t: 'list<string>' }]);
    expect(compiled.decode({ items: [] })).to.deep.equal({ items: [] });
    expect(compiled.decode({})).to.deep.equal({ items: null });
  });
});
