import { expect } from 'chai';
import { describe, it } from 'mocha';
import { stampRevision } from '../../../../src/storage/stamp.ts';
import { restoreObject, stripRevision } from '../../../../src/storage/stored-value.ts';

const key = '/registry/pods/a/b';
const restore = (text: string): string => restoreObject(key, 7, Buffer.from(text)).bytes.toString();

describe('stripRevision', () => {
  it('removes the field, and restoreObject puts it back where it was', () => {
    for (const metadata of [
      '{"resourceVersion":""}',
      '{"name":"a","resourceVersion":""}',
      '{"resourceVersion":"","generation":1}',
      '{"name":"a","namespace":"b","uid":"c","resourceVersion":"12","generation":1}',
      '{"name":"quote \\" and \\\\","resourceVersion":"","labels":{"name":"x"}}',
      '{"generateName":"a-","resourceVersion":"","annotations":{"x":"\\"resourceVersion\\":\\"\\""}}',
    ]) {
      const value = Buffer.from(`{"kind":"Pod","apiVersion":"v1","metadata":${metadata},"spec":{}}`);
      const stripped = stripRevision(value);
      expect(JSON.parse(stripped.toString()).metadata).to.not.have.property('resourceVersion');
      const restored = restoreObject(key, 7, stripped).bytes;
      expect(JSON.parse(restored.toString())).to.deep.equal(JSON.parse(stampRevision(value, 7).toString()));
      if (!metadata.startsWith('{"resourceVersion":"",')) {
        expect(restored.toString()).to.equal(stampRevision(value, 7).toString());
      }
    }
  });

  it('refuses a value without the field', () => {
    expect(() => stripRevision(Buffer.from('{}'))).to.throw(RangeError);
  });
});

describe('restoreObject', () => {
  it('keeps a resourceVersion that is no field of the metadata', () => {
    const text =
      '{"kind":"Event","apiVersion":"v1","metadata":{"name":"a","uid":"u"},"involvedObject":{"resourceVersion":"3"}}';
    const object = JSON.parse(restore(text));
    expect(object.metadata.resourceVersion).to.equal('7');
    expect(object.involvedObject.resourceVersion).to.equal('3');
  });

  it('puts values with another order of fields in order', () => {
    const spec = '"spec":{"b":1,"a":2}';
    const text = `{${spec},"apiVersion":"v1","kind":"K","metadata":{"annotations":{},"name":"a","resourceVersion":"1"}}`;
    const expected = `{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7","annotations":{}},${spec}}`;
    expect(restore(text)).to.equal(expected);
  });

  it('replaces an empty field that is there', () => {
    const text = '{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":""}}';
    expect(restore(text)).to.equal(text.replace('""', '"7"'));
  });

  it('says what is wrong with what is no JSON object with metadata, and keeps nothing of it', () => {
    const problems: readonly [text: string, problem: string][] = [
      ['', 'it is not JSON'],
      ['\u0001binary', 'it is not JSON'],
      ['{', 'it is not JSON'],
      ['[]', 'it is not a JSON object'],
      ['1', 'it is not a JSON object'],
      ['null', 'it is not a JSON object'],
      ['{}', 'it has no metadata'],
      ['{"metadata":[]}', 'it has no metadata'],
      ['{"kind":"K"}', 'it has no metadata'],
      ['{"metadata":{', 'it is not JSON'],
    ];
    for (const [text, problem] of problems) {
      const { bytes, ...rest } = restoreObject(key, 7, Buffer.from(text));
      expect(rest, text).to.deep.equal({ key, revision: 7, problem });
      expect(bytes.length).to.equal(0);
    }
  });
});
