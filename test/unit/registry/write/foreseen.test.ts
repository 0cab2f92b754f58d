import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { createObject, type ServedKind, updateObject } from '../../../../src/registry/index.ts';
import type { CachedObject } from '../../../../src/storage/watch-cache/index.ts';
import { configMap } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const options = { user: alice, isDryRun: false };

describe('what a store foresees of objects', () => {
  let registry: TestRegistry;
  let served: ServedKind;
  /** Each cached object of which something was foreseen, with the data of the object then. */
  let noted: (readonly [CachedObject, unknown])[];
  beforeEach(async () => {
    registry = await TestRegistry.open();
    noted = [];
    const plain = registry.served('v1/configmaps');
    const foresee = (object: ApiObject) => {
      const data: unknown = Reflect.get(object, 'data');
      return (stored: CachedObject) => void noted.push([stored, data]);
    };
    served = { ...plain, store: { ...plain.store, foresee } };
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const patch = (data: object, isDryRun = false) =>
    updateObject(served, {
      namespace: 'default',
      name: 'a',
      subresource: '',
      manager: 'm',
      change: { kind: 'patch', format: 'merge', bytes: Buffer.from(JSON.stringify({ data })) },
      options: { ...options, isDryRun },
    });

  it('is told of the cached object once it is stored, and of nothing that is not', async () => {
    const body = { kind: 'value', value: configMap('a', { k: '1' }) } as const;
    const created = await createObject(served, { namespace: 'default', body, manager: 'm', options });
    const updated = await patch({ k: '2' });
    await patch({ k: '3' }, true);
    await patch({ k: '2' });
    expect(noted).to.deep.equal([
      [created.cached, { k: '1' }],
      [updated.cached, { k: '2' }],
    ]);
    expect(noted.map(([stored]) => stored === undefined)).to.deep.equal([false, false]);
  });
});
