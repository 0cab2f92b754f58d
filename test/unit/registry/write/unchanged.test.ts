import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../../src/registry/index.ts';
import type { DecodedObject } from '../../../../src/registry/write/decoded-object.ts';
import type { WrittenObject } from '../../../../src/registry/write/store-writes.ts';
import { updateStored } from '../../../../src/registry/write/update.ts';
import { configMap } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const configMaps = 'v1/configmaps';

describe('updateStored of a request with a fingerprint', () => {
  let registry: TestRegistry;
  let transforms: number;
  /** What admission does with every update; it may change the object, or throw. */
  let admit: (attributes: AdmissionAttributes) => void;
  let validated: number;
  let asked: string[];
  beforeEach(async () => {
    transforms = 0;
    validated = 0;
    asked = [];
    admit = () => {};
    registry = await TestRegistry.open({
      recordsOwners: true,
      admission: { admit: (attributes) => admit(attributes), validate: () => void validated++ },
    });
    await registry.create(configMaps, configMap('a', { k: '1' }));
    validated = 0;
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const noted = (fingerprint: string): string => {
    asked.push(fingerprint);
    return fingerprint;
  };

  /** Sets the data, as one that is known by its fingerprint; answers what is stored then. */
  const apply = async (value: string, fingerprint: string | undefined, time?: string): Promise<ApiObject> => {
    const { bytes } = await written(value, fingerprint, time);
    return JSON.parse(bytes.toString());
  };
  const written = async (
    value: string,
    fingerprint: string | undefined,
    time?: string,
  ): Promise<WrittenObject> => {
    const served = registry.served(configMaps);
    return updateStored(served, {
      namespace: 'default',
      name: 'a',
      subresource: '',
      fingerprint: fingerprint === undefined ? undefined : () => noted(fingerprint),
      // biome-ignore lint/correctness/useYield: it is one step
      *transform({ copy }) {
        transforms++;
        const object = { ...copy(), data: { k: value } } as unknown as DecodedObject; // it was when it was stored
        if (time !== undefined) object.metadata.managedFields = [{ manager: 'm', operation: 'Apply', time }];
        return object;
      },
      options: { user: alice, isDryRun: false },
      sizeBytes: 0,
    });
  };

  it('works out once what changes nothing, and asks admission each time', async () => {
    const first = await apply('1', 'one');
    expect(await apply('1', 'one')).to.deep.equal(first);
    expect(await apply('1', 'one')).to.deep.equal(first);
    expect({ transforms, validated }).to.deep.equal({ transforms: 1, validated: 3 });
  });

  it('writes when nothing but a time in the record of owners differs', async () => {
    const first = await apply('1', 'one', '2026-01-01T00:00:00Z');
    expect(first.metadata.managedFields?.[0]?.time).to.equal('2026-01-01T00:00:00Z');
    const second = await apply('1', 'two', '2026-01-01T00:00:01Z');
    expect(second.metadata.managedFields?.[0]?.time).to.equal('2026-01-01T00:00:01Z');
    expect(second.metadata.resourceVersion).not.to.equal(first.metadata.resourceVersion);
  });

  it('answers with the cached object, so that its forms are made once', async () => {
    const current = registry.served(configMaps).store.cache.get('/registry/configmaps/default/a');
    const cached = [await written('1', 'one'), await written('1', 'one')].map((answer) => answer.cached);
    expect(cached).to.deep.equal([current, current]);
  });

  it('asks for no fingerprint where nothing can be known by it', async () => {
    await apply('2', 'two');
    await apply('3', 'three');
    expect(asked).to.deep.equal([]);
    await apply('3', 'three');
    await apply('3', 'four');
    expect(asked).to.deep.equal(['three', 'four', 'four']);
  });

  it('works out every other request', async () => {
    await apply('1', 'one');
    await apply('1', 'two');
    await apply('1', undefined);
    await apply('1', undefined);
    expect(transforms).to.equal(4);
  });

  it('works out again what changed something', async () => {
    await apply('2', 'two');
    await apply('2', 'two');
    expect(transforms).to.equal(2);
  });

  it('works out anew for another version of the object', async () => {
    await apply('1', 'one');
    await apply('2', 'two');
    expect(await apply('1', 'one')).to.have.deep.property('data', { k: '1' });
    expect(transforms).to.equal(3);
  });

  it('tells admission of a repetition and gives it what is stored, if it looks', async () => {
    const seen: unknown[] = [];
    const note = ({ object, oldObject, namespace, name, isRepeated }: AdmissionAttributes) =>
      seen.push({ object, oldObject, namespace, name, isRepeated });
    const stored = await apply('1', 'one');
    admit = note;
    await apply('1', 'one');
    expect(seen).to.deep.equal([
      { object: stored, oldObject: stored, namespace: 'default', name: 'a', isRepeated: true },
    ]);
    await apply('2', 'two');
    expect(seen[1]).to.deep.include({ namespace: 'default', name: 'a', isRepeated: undefined });
  });

  it('does what admission wants', async () => {
    await apply('1', 'one');
    admit = () => {
      throw new Error('refused');
    };
    await apply('1', 'one').then(
      () => expect.fail('it was let through'),
      (error: Error) => expect(error.message).to.equal('refused'),
    );
    expect(transforms).to.equal(1);
    admit = ({ object }) => {
      (object as ApiObject).metadata.labels = { from: 'admission' };
    };
    const changed = await apply('1', 'one');
    expect(changed.metadata.labels).to.deep.equal({ from: 'admission' });
    expect(transforms).to.equal(2);
  });
});
