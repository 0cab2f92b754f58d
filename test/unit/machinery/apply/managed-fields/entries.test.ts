import { expect } from 'chai';
import fc from 'fast-check';
import { emptyFieldSet } from '../../../../../src/machinery/apply/fieldpath/field-set.ts';
import { serializeFieldSet } from '../../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import {
  decodeManagedFields,
  isBrokenRecord,
  ManagedFieldsError,
} from '../../../../../src/machinery/apply/managed-fields/decode.ts';
import { encodeManagedFields, secondsOf } from '../../../../../src/machinery/apply/managed-fields/encode.ts';
import { formatIdentity, parseIdentity } from '../../../../../src/machinery/apply/managed-fields/identity.ts';
import { createFieldSetParser } from '../../../../../src/machinery/apply/managed-fields/set-cache.ts';
import type { ManagedFieldsEntry } from '../../../../../src/machinery/meta/index.ts';
import { takingSteps } from '../support/at-once.ts';

const encodeAtOnce = takingSteps(encodeManagedFields);

const parse = createFieldSetParser({ capacity: 10 });
const entry = (parts: ManagedFieldsEntry): ManagedFieldsEntry => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': {} },
  ...parts,
});
const again = (entries: readonly ManagedFieldsEntry[]) => encodeAtOnce(decodeManagedFields(entries, parse));

describe('formatIdentity', () => {
  const rows: readonly (readonly [ManagedFieldsEntry, string])[] = [
    [
      { manager: 'm', operation: 'Update', apiVersion: 'v1' },
      '{"manager":"m","operation":"Update","apiVersion":"v1"}',
    ],
    // Appliers are one manager whatever version they speak.
    [{ manager: 'm', operation: 'Apply', apiVersion: 'v1' }, '{"manager":"m","operation":"Apply"}'],
    [{ manager: '', operation: 'Update', apiVersion: 'v1' }, '{"operation":"Update","apiVersion":"v1"}'],
    [{ manager: 'a"b', operation: 'Apply' }, '{"manager":"a\\"b","operation":"Apply"}'],
    [{}, '{}'],
  ];
  for (const [parts, text] of rows) {
    it(`of ${JSON.stringify(parts)} is ${text}`, () => expect(formatIdentity(parts)).to.equal(text));
  }

  it('is taken apart by parseIdentity', () => {
    const text = fc.string();
    fc.assert(
      fc.property(text, fc.constantFrom('Apply', 'Update'), text, (manager, operation, apiVersion) => {
        const parsed = parseIdentity(formatIdentity({ manager, operation, apiVersion }));
        const isVersioned = operation === 'Update' && apiVersion !== '';
        expect(parsed).to.deep.equal({ manager, operation, ...(isVersioned ? { apiVersion } : {}) });
      }),
    );
  });
});

describe('decodeManagedFields', () => {
  const broken: readonly (readonly [string, unknown, string])[] = [
    ['a record that is no list', {}, 'managed fields are no list'],
    ['an entry that is no object', [entry({}), 5], 'managed fields entry 1 is no object'],
    ['an entry that is null', [null], 'managed fields entry 0 is no object'],
    [
      'an entry without a type',
      [entry({ fieldsType: undefined })],
      'missing fieldsType in managed fields entry 0',
    ],
    [
      'an entry with an empty type',
      [entry({ fieldsType: '' })],
      'missing fieldsType in managed fields entry 0',
    ],
    [
      'an entry of another type',
      [entry({}), entry({ fieldsType: 'FieldsV2' })],
      'invalid fieldsType "FieldsV2" in managed fields entry 1',
    ],
  ];
  for (const [title, entries, message] of broken) {
    it(`refuses ${title}`, () => {
      // Whatever is stored comes here.
      expect(() => decodeManagedFields(entries as ManagedFieldsEntry[], parse)).to.throw(
        ManagedFieldsError,
        message,
      );
    });
  }

  it('calls broken what a record can be wrong in, and nothing else', () => {
    const failureOf = (entries: unknown): unknown => {
      try {
        decodeManagedFields(entries as ManagedFieldsEntry[], parse);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(isBrokenRecord(failureOf(5))).to.equal(true);
    expect(isBrokenRecord(failureOf([entry({ fieldsV1: { f: {} } })]))).to.equal(true);
    expect(isBrokenRecord(failureOf([{ ...entry({}), fieldsV1: 7 }]))).to.equal(true);
    expect(isBrokenRecord(new TypeError('a mistake'))).to.equal(false);
  });

  it('lets the later of two entries with one identity count, its time too', () => {
    const entries = [
      entry({ fieldsV1: { 'f:a': {} }, time: '2020-01-01T00:00:01Z' }),
      entry({ fieldsV1: { 'f:b': {} }, time: undefined }),
    ];
    expect(again(entries)).to.deep.equal([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:b': {} },
      },
    ]);
  });

  it('keeps an owner without fields', () => {
    const { managers } = decodeManagedFields([entry({ fieldsV1: undefined })], parse);
    expect([...managers.values()][0]?.set).to.equal(emptyFieldSet);
  });
});

describe('encodeManagedFields', () => {
  const names = (entries: readonly ManagedFieldsEntry[] | undefined): string[] =>
    (entries ?? []).map(({ manager, operation, apiVersion }) => `${operation} ${manager} ${apiVersion}`);
  const orders: readonly (readonly [string, readonly ManagedFieldsEntry[], readonly string[]])[] = [
    [
      'puts appliers first, however late they came',
      [entry({ manager: 'u' }), entry({ manager: 'a', operation: 'Apply', time: '2021-01-01T00:00:00Z' })],
      ['Apply a v1', 'Update u v1'],
    ],
    [
      'puts the older first',
      [
        entry({ manager: 'a', time: '2020-01-01T00:00:02Z' }),
        entry({ manager: 'b', time: '2020-01-01T00:00:01Z' }),
      ],
      ['Update b v1', 'Update a v1'],
    ],
    [
      'puts those of one second by name, then version',
      [entry({ manager: 'b' }), entry({ manager: 'a', apiVersion: 'v2' }), entry({ manager: 'a' })],
      ['Update a v1', 'Update a v2', 'Update b v1'],
    ],
    [
      'takes an entry without a time for the oldest',
      [entry({ manager: 'a' }), entry({ manager: 'b', time: undefined })],
      ['Update b v1', 'Update a v1'],
    ],
  ];
  for (const [title, entries, wanted] of orders) {
    it(title, () => {
      expect(names(again(entries))).to.deep.equal(wanted);
      expect(names(again(entries.toReversed()))).to.deep.equal(wanted);
    });
  }

  it('is nothing without owners', () => {
    expect(encodeAtOnce({ managers: new Map(), times: new Map() })).to.equal(undefined);
  });

  it('leaves empty names and missing times out', () => {
    const [only] = again([entry({ manager: undefined, time: undefined })]) ?? [];
    expect(Object.keys(only ?? {})).to.deep.equal(['operation', 'apiVersion', 'fieldsType', 'fieldsV1']);
  });

  it('is its own form', () => {
    const random = fc.record({
      manager: fc.constantFrom('a', 'b', ''),
      operation: fc.constantFrom('Apply', 'Update'),
      apiVersion: fc.constantFrom('v1', 'apps/v1'),
      time: fc.constantFrom(undefined, '2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'),
      fieldsV1: fc.constantFrom({ 'f:a': {} }, { 'f:b': { '.': {}, 'f:c': {} } }),
    });
    fc.assert(
      fc.property(fc.array(random), (list) => {
        const once = again(list.map(entry)) ?? [];
        expect(again(once) ?? []).to.deep.equal(once);
      }),
    );
  });

  it('counts whole seconds', () => {
    expect(secondsOf('1970-01-01T00:00:01.9Z')).to.equal(1);
    expect(secondsOf('yesterday')).to.equal(0);
    expect(secondsOf(null)).to.equal(0);
  });
});

describe('createFieldSetParser', () => {
  it('gives the same set for the same text while it remembers it', () => {
    const remembering = createFieldSetParser({ capacity: 2 });
    const first = remembering({ 'f:a': {} });
    expect(remembering({ 'f:a': {} })).to.equal(first);
    remembering({ 'f:b': {} });
    expect(remembering({ 'f:a': {} })).to.equal(first);
    // What was used last stays, the other goes.
    const second = remembering({ 'f:b': {} });
    remembering({ 'f:a': {} });
    remembering({ 'f:c': {} });
    expect(remembering({ 'f:a': {} })).to.equal(first);
    expect(remembering({ 'f:b': {} })).to.not.equal(second);
  });

  it('does not keep what is large', () => {
    const remembering = createFieldSetParser({ capacity: 2 });
    // Equal values, but not the same one: that is remembered for as long as it lives.
    const large = () => Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f:k${index}`, {}]));
    const [first, second] = [remembering(large()), remembering(large())];
    expect(first).to.not.equal(second);
    expect(serializeFieldSet(first)).to.deep.equal(serializeFieldSet(second));
  });
});
