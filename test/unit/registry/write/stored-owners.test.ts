import { expect } from 'chai';
import fc from 'fast-check';
import { StoredOwners } from '../../../../src/registry/write/stored-owners.ts';
import { StorageError } from '../../../../src/storage/index.ts';
import { CachedObject } from '../../../../src/storage/watch-cache/cached-object.ts';

const scope = { resourcePrefix: 'x/', selectableFields: undefined };
const cached = (text: string): CachedObject =>
  new CachedObject(scope, { key: 'x/a', revision: 1, bytes: Buffer.from(text) });

describe('StoredOwners', () => {
  it('reads what a plain parser reads, however often', () => {
    const owners = new StoredOwners({ budget: 600 });
    const entry = fc.record({ manager: fc.string(), fieldsV1: fc.dictionary(fc.string(), fc.jsonValue()) });
    const object = fc.record(
      {
        kind: fc.string(),
        metadata: fc.record(
          {
            name: fc.string({ unit: 'binary' }),
            annotations: fc.constant({ note: '"managedFields":[{"manager":"x"}]' }),
            managedFields: fc.array(entry, { maxLength: 3 }),
            labels: fc.dictionary(fc.string(), fc.string()),
          },
          { requiredKeys: [] },
        ),
        spec: fc.jsonValue(),
      },
      { requiredKeys: ['metadata'] },
    );
    fc.assert(
      fc.property(fc.array(object, { maxLength: 4 }), (objects) => {
        for (const one of [...objects, ...objects]) {
          const text = JSON.stringify(one);
          expect(owners.decode(cached(text))).to.deep.equal(JSON.parse(text));
        }
      }),
    );
  });

  it('shares records that are written alike, and nothing else', () => {
    const owners = new StoredOwners();
    const text = '{"metadata":{"name":"a","managedFields":[{"manager":"m"}]},"data":{"k":"1"}}';
    const [first, second] = [owners.decode(cached(text)), owners.decode(cached(text))];
    expect(first.metadata.managedFields).to.equal(second.metadata.managedFields);
    expect(first.metadata).not.to.equal(second.metadata);
  });

  it('reads what others wrote with white space', () => {
    const text = '{ "metadata": { "managedFields": [ { "manager": "m" } ] } }';
    expect(new StoredOwners().decode(cached(text))).to.deep.equal(JSON.parse(text));
  });

  it('says which value cannot be read', () => {
    for (const text of ['{"metadata":{"managedFields":[}]}', '{"metadata":{', 'x']) {
      expect(() => new StoredOwners().decode(cached(text))).to.throw(StorageError, 'x/a');
    }
  });
});
