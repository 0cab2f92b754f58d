import { assert } from 'chai';
import { describe, it } from 'mocha';
import { StorageError } from '../../../../src/storage/contract.ts';
import { restoreRevision, stripRevision } from '../../../../src/storage/etcd/stored-value.ts';
import { stampRevision } from '../../../../src/storage/stamp.ts';

const key = '/registry/pods/a/b';
const restore = (text: string): string => restoreRevision(Buffer.from(text), 7, key).toString();

describe('stripRevision', () => {
  it('removes the field, and restoreRevision puts it back where it was', () => {
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
      assert.notProperty(JSON.parse(stripped.toString()).metadata, 'resourceVersion');
      const restored = restoreRevision(stripped, 7, key);
      assert.deepEqual(JSON.parse(restored.toString()), JSON.parse(stampRevision(value, 7).toString()));
      if (!metadata.startsWith('{"resourceVersion":"",')) {
        assert.equal(restored.toString(), stampRevision(value, 7).toString());
      }
    }
  });

  it('refuses a value without the field', () => {
    assert.throws(() => stripRevision(Buffer.from('{}')), RangeError);
  });
});

describe('restoreRevision', () => {
  it('keeps a resourceVersion that is no field of the metadata', () => {
    const text =
      '{"kind":"Event","apiVersion":"v1","metadata":{"name":"a","uid":"u"},"involvedObject":{"resourceVersion":"3"}}';
    const object = JSON.parse(restore(text));
    assert.equal(object.metadata.resourceVersion, '7');
    assert.equal(object.involvedObject.resourceVersion, '3');
  });

  it('puts values with another order of fields in order', () => {
    const spec = '"spec":{"b":1,"a":2}';
    const text = `{${spec},"apiVersion":"v1","kind":"K","metadata":{"annotations":{},"name":"a","resourceVersion":"1"}}`;
    const expected = `{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7","annotations":{}},${spec}}`;
    assert.equal(restore(text), expected);
  });

  it('replaces an empty field that is there', () => {
    const text = '{"kind":"K","apiVersion":"v1","metadata":{"name":"a","resourceVersion":""}}';
    assert.equal(restore(text), text.replace('""', '"7"'));
  });

  it('refuses what is no JSON object with metadata, and names the key', () => {
    for (const text of [
      '',
      '\u0001binary',
      '{',
      '[]',
      '1',
      'null',
      '{"metadata":[]}',
      '{"kind":"K"}',
      '{"metadata":{',
    ]) {
      try {
        restore(text);
      } catch (error) {
        assert.instanceOf(error, StorageError);
        assert.equal((error as StorageError).code, 'corrupt');
        assert.include((error as StorageError).message, key);
        continue;
      }
      assert.fail(`took ${text}`);
    }
  });
});
