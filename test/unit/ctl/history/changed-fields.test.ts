import { expect } from 'chai';
import { findAuthors, timeOf } from '../../../../src/ctl/history/authors.ts';
import { listChanges } from '../../../../src/ctl/history/changed-fields.ts';
import type { WireObject } from '../../../../src/ctl/resource/api-object.ts';
import { parseMoment } from '../../../../src/ctl/resource/read-past.ts';

const lastApplied = 'x/last-applied';
const make = (fields: Record<string, unknown>, metadata: object = {}, kind = 'Thing'): WireObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', ...metadata },
  ...fields,
});
const lines = (before: WireObject, after: WireObject) =>
  listChanges(before, after, lastApplied).map(
    ({ path, kind, before: old, after: present }) =>
      `${kind} ${path}${old === undefined ? '' : ` ${old}`}${present === undefined ? '' : ` > ${present}`}`,
  );

describe('listChanges', () => {
  const cases: Record<
    string,
    [before: Record<string, unknown>, after: Record<string, unknown>, lines: string[]]
  > = {
    'nothing for the same': [{ spec: { a: [1] } }, { spec: { a: [1] } }, []],
    'single values': [
      { spec: { a: 1, b: null } },
      { spec: { a: 2, b: 'x' } },
      ['changed spec.a 1 > 2', 'changed spec.b null > x'],
    ],
    'what comes and goes': [
      { spec: { a: 1 } },
      { spec: { b: true } },
      ['removed spec.a 1', 'added spec.b > true'],
    ],
    'flat maps one by one, others as a whole': [
      {},
      { flat: { x: 1, 'a.b/c': 2 }, deep: { x: {} }, none: {} },
      ['added flat.x > 1', 'added flat["a.b/c"] > 2', 'added deep', 'added none'],
    ],
    'elements by their names': [
      { c: [{ name: 'x', v: 1 }, { name: 'y' }] },
      { c: [{ name: 'z' }, { name: 'x', v: 2 }] },
      ['changed c[name=x].v 1 > 2', 'removed c[name=y].name y', 'added c[name=z].name > z'],
    ],
    'another order of them': [
      { c: [{ name: 'x' }, { name: 'y' }] },
      { c: [{ name: 'y' }, { name: 'x' }] },
      ['changed c'],
    ],
    'other lists as a whole': [{ c: [1, 2] }, { c: [1] }, ['changed c']],
    'names that are there twice as a whole': [
      { c: [{ name: 'x' }, { name: 'x' }] },
      { c: [{ name: 'x' }] },
      ['changed c'],
    ],
    'a map that becomes a value': [{ c: { a: 1 } }, { c: 1 }, ['changed c > 1']],
  };
  for (const [name, [before, after, expected]] of Object.entries(cases)) {
    it(`tells ${name}`, () => expect(lines(make(before), make(after))).to.deep.equal(expected));
  }

  it('passes over what the server writes, and the copy of what was applied', () => {
    const before = make(
      {},
      { resourceVersion: '1', generation: 1, annotations: { [lastApplied]: 'secret' } },
    );
    const after = make(
      {},
      { resourceVersion: '2', generation: 2, annotations: { [lastApplied]: 'other' }, managedFields: [] },
    );
    expect(lines(before, after)).to.deep.equal([]);
  });

  it('keeps the values of secrets to itself', () => {
    const [before, after] = [
      make({ data: { a: 'x' } }, {}, 'Secret'),
      make({ data: { a: 'y' } }, {}, 'Secret'),
    ];
    expect(lines(before, after)).to.deep.equal(['changed data.a']);
  });
});

describe('findAuthors', () => {
  const entry = (manager: string, time: string, fieldsV1: object) => ({
    manager,
    operation: 'Update' as const,
    apiVersion: 'v1',
    time,
    fieldsV1,
  });
  const all = { 'f:a': {}, 'f:b': { 'f:c': {} } };
  const before = make({}, { managedFields: [entry('one', 'T1', all), entry('two', 'T1', { 'f:x': {} })] });
  const managers = (managedFields: object[]) =>
    findAuthors(before, make({}, { managedFields })).map(({ manager }) => manager);

  for (const [name, managedFields, expected] of [
    ['nobody when nothing changed', [entry('one', 'T1', all)], []],
    ['who is new', [entry('one', 'T1', all), entry('three', 'T1', {})], ['three']],
    ['who wrote at another time', [entry('one', 'T2', all)], ['one']],
    ['who has a field more', [entry('two', 'T1', { 'f:x': { 'f:y': {} } })], ['two']],
    [
      'not who lost fields',
      [entry('one', 'T1', { 'f:b': {} }), entry('four', 'T2', { 'f:a': {} })],
      ['four'],
    ],
  ] as const) {
    it(`finds ${name}`, () => expect(managers([...managedFields])).to.deep.equal(expected));
  }

  it('finds everybody in a first version, whose time may be all that is known', () => {
    expect(findAuthors(undefined, before).map(({ manager }) => manager)).to.deep.equal(['one', 'two']);
    expect(timeOf([], make({}, { creationTimestamp: 'T0' }))).to.equal('T0');
    expect(timeOf(findAuthors(undefined, before), undefined)).to.equal('T1');
    expect(timeOf([], undefined)).to.equal(undefined);
  });
});

describe('parseMoment', () => {
  const nowMs = Date.UTC(2026, 0, 2, 12);
  const parse = (text: string) => parseMoment(text, { flag: 'at', nowMs });
  for (const [text, expected] of [
    ['10m', '@2026-01-02T11:50:00.000Z'],
    ['1h30m ago', '@2026-01-02T10:30:00.000Z'],
    ['2026-01-01T00:00:00+01:00', '@2025-12-31T23:00:00.000Z'],
    ['1234', '1234'],
  ] as const) {
    it(`reads ${text}`, () => expect(parse(text)).to.equal(expected));
  }
  for (const [text, message] of [
    ['-10m', '--at=-10m: lies in the future'],
    ['2027-01-01T00:00:00Z', 'lies in the future'],
    ['0123', '--at=0123: expected a duration such as 10m'],
    ['@5', 'expected a duration'],
    ['yesterday', 'expected a duration'],
  ] as const) {
    it(`refuses ${text}`, () => expect(() => parse(text)).to.throw(message));
  }
});
