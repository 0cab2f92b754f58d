import { expect } from 'chai';
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
});
