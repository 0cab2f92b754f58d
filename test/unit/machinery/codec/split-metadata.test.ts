import { expect } from 'chai';
import fc from 'fast-check';
import {
  CompactJsonError,
  cutOwners,
  parseMetadata,
  parseWithoutOwners,
  splitMetadata,
} from '../../../../src/machinery/codec/index.ts';

const text = fc.string({ unit: 'binary', maxLength: 6 });
const members = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text), fc.dictionary(text, text)));
const owners = fc.array(
  fc.record({ manager: text, fieldsV1: fc.dictionary(text, fc.dictionary(text, members)) }),
);
const object = fc
  .record({ before: members, owners: fc.option(owners, { nil: undefined }), after: members, spec: members })
  .map(({ before, owners, after, spec }) => ({
    kind: 'Pod',
    // Names of members are unique, and none is called like the owners by chance.
    metadata: { ...before, ...(owners === undefined ? {} : { managedFields: owners }), ...after },
    spec: { ...spec, metadata: { managedFields: ['inner'] } },
  }));

describe('splitMetadata', () => {
  it('finds the metadata of any object', () => {
    fc.assert(
      fc.property(object, (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const { start, end } = splitMetadata(bytes);
        expect(JSON.parse(bytes.toString('utf8', start, end))).to.deep.equal(
          JSON.parse(JSON.stringify(value.metadata)),
        );
      }),
    );
  });

  it('lets the owners be left out, wherever they stand', () => {
    fc.assert(
      fc.property(object, (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const expected = JSON.parse(bytes.toString());
        delete expected.metadata.managedFields;
        expect(parseWithoutOwners(bytes, splitMetadata(bytes))).to.deep.equal(expected);
      }),
    );
  });

  it('lets the metadata be read alone, without the owners', () => {
    fc.assert(
      fc.property(object, (value) => {
        const { managedFields: _, ...metadata } = value.metadata as Record<string, unknown>;
        const read = parseMetadata(Buffer.from(JSON.stringify(value)));
        expect(read).to.deep.equal(JSON.parse(JSON.stringify(metadata)));
      }),
    );
  });

  it('cuts the owners out of the bytes, which stay as they are otherwise', () => {
    fc.assert(
      fc.property(object, (value) => {
        const { managedFields, ...metadata } = value.metadata as Record<string, unknown>;
        const cut = cutOwners(Buffer.from(JSON.stringify(value)));
        const expected = managedFields === undefined ? undefined : JSON.stringify({ ...value, metadata });
        expect(cut?.toString()).to.equal(expected);
      }),
    );
  });

  for (const wrong of [
    '',
    '[]',
    '{}',
    '{"metadata":1}',
    '{"metadata":{',
    '{"metadata":{"a":1',
    '{"spec":{}}',
  ]) {
    it(`refuses ${wrong || 'nothing'}`, () => {
      expect(() => splitMetadata(Buffer.from(wrong))).to.throw(CompactJsonError);
    });
  }
});
