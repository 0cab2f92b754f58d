import { expect } from 'chai';
import fc from 'fast-check';
import { CompactJsonError } from '../../../../src/machinery/codec/compact-json.ts';
import { sortObject } from '../../../../src/machinery/codec/index.ts';

const owners = {
  manager: 'm',
  operation: 'Update',
  apiVersion: 'v1',
  time: 't',
  fieldsType: 'FieldsV1',
  fieldsV1: { z: 1, a: {} },
};
const reference = { apiVersion: 'v1', kind: 'A', name: 'n', uid: 'u', controller: true };
const stored = {
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: {
    name: 'a"{}[]',
    uid: 'u',
    labels: { b: '1' },
    ownerReferences: [reference],
    managedFields: [owners, owners],
  },
  alpha: [{ z: 1, a: 2 }],
  spec: { z: 1, a: null },
};

describe('sortObject', () => {
  it('sorts members, those of metadata, and entries of its records, and names the version', () => {
    const text = sortObject(Buffer.from(JSON.stringify(stored)), 'example.com/v2').toString();
    const { time, fieldsType, fieldsV1, manager, operation, apiVersion } = owners;
    const entry = { apiVersion, fieldsType, fieldsV1, manager, operation, time };
    const owner = { apiVersion: 'v1', controller: true, kind: 'A', name: 'n', uid: 'u' };
    expect(text).to.equal(
      JSON.stringify({
        alpha: [{ z: 1, a: 2 }],
        apiVersion: 'example.com/v2',
        kind: 'Widget',
        metadata: {
          labels: { b: '1' },
          managedFields: [entry, entry],
          name: 'a"{}[]',
          ownerReferences: [owner],
          uid: 'u',
        },
        spec: { z: 1, a: null },
      }),
    );
  });

  it('takes objects without members and empty records', () => {
    const bytes = Buffer.from(
      '{"kind":"A","apiVersion":"b","metadata":{"ownerReferences":[],"managedFields":[]}}',
    );
    expect(sortObject(bytes, 'c').toString()).to.equal(
      '{"apiVersion":"c","kind":"A","metadata":{"managedFields":[],"ownerReferences":[]}}',
    );
  });

  const anyName = fc.constantFrom(
    'a',
    'b!',
    'b',
    'b c',
    'meta',
    'metadatb',
    'n"',
    'n\\',
    'n#',
    'ä',
    '\u{1f600}',
    '\uffee',
    '\n',
  );
  const anyText = fc.oneof(
    fc.string(),
    fc.constantFrom('\\', '"', '\\"', '{[', ']},', 'ä\u{1f600}', '\\\\"'),
  );
  const anyValue = fc.oneof(
    anyText,
    fc.integer(),
    fc.constantFrom(null, true, [], {}, -0.5),
    fc.array(anyText),
    fc.dictionary(fc.constantFrom('y', 'x', '"'), anyText, { noNullPrototype: true }),
  );
  const anyMembers = fc.uniqueArray(fc.tuple(anyName, anyValue), { selector: ([name]) => name });

  it('orders by the bytes of names, whatever these and the values are', () => {
    fc.assert(
      fc.property(anyMembers, fc.array(anyMembers), anyMembers, (metadata, records, others) => {
        const record = records.map((members) => textOf(members)).join(',');
        const head = [['kind', 'A'] as const, ['apiVersion', 'x'] as const];
        const fields = metadata.map(([name, value]) => [name, JSON.stringify(value)] as const);
        const owners = ['managedFields', `[${record}]`] as const;
        const given = [
          ...head.map(([name, value]) => [name, JSON.stringify(value)] as const),
          ['metadata', textOfParts([...fields, owners])] as const,
          ...inOrder(others).map(([name, value]) => [name, JSON.stringify(value)] as const),
        ];
        const sortedRecord = records.map((members) => textOf(inOrder(members))).join(',');
        const sortedMetadata = textOfParts(
          inOrder([...fields, ['managedFields', `[${sortedRecord}]`] as const]),
        );
        const expected = inOrder(
          given.map(([name, text]) => {
            if (name === 'apiVersion') return [name, '"ü/v1"'] as const;
            return [name, name === 'metadata' ? sortedMetadata : text] as const;
          }),
        );
        const sorted = sortObject(Buffer.from(textOfParts(given)), 'ü/v1').toString();
        expect(sorted).to.equal(textOfParts(expected));
      }),
    );
  });

  it('refuses what ends before its time', () => {
    const bytes = Buffer.from(JSON.stringify({ ...stored, alpha: 1, spec: 1 }));
    const end = bytes.indexOf(',"spec"');
    for (let length = 0; length < end; length++) {
      expect(() => sortObject(bytes.subarray(0, length), 'v'), `${length} bytes`).to.throw(CompactJsonError);
    }
  });
});

type Part<Value> = readonly [name: string, value: Value];

const textOfParts = (parts: readonly Part<string>[]): string =>
  `{${parts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

const textOf = (members: readonly Part<unknown>[]): string =>
  textOfParts(members.map(([name, value]) => [name, JSON.stringify(value)]));

function inOrder<Value>(members: readonly Part<Value>[]): Part<Value>[] {
  return members.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
