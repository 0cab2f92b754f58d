import { expect } from 'chai';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { updateObject } from '../../../../src/registry/index.ts';
import { noteValid } from '../../../../src/registry/write/known-valid.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { failureOf } from '../../../support/failure.ts';
import { pod } from '../../../support/objects.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

const path = 'v1/pods';
const key = '/registry/pods/default/a';
const spec = (container: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'main', image: 'example/image:1', ...container }],
});

describe('updates of pods that are known to be valid', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
    await registry.create(path, pod('a'));
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const patch = (change: JsonObject, subresource = '') =>
    updateObject(registry.served(path), {
      namespace: 'default',
      name: 'a',
      subresource,
      manager: 'm',
      change: { kind: 'patch', format: 'strategic', bytes: Buffer.from(JSON.stringify(change)) },
      options: { user: alice, isDryRun: false },
    });
  const causesOf = async (change: JsonObject): Promise<(string | undefined)[]> => {
    const error = await failureOf(patch(change));
    if (!(error instanceof StatusError)) throw error;
    return error.status.details?.causes?.map(({ field }) => field) ?? [];
  };
  const note = (text: string): JsonObject => ({ metadata: { annotations: { note: text } } });

  it('take what leaves the spec as it is', async () => {
    for (const text of ['one', 'two', 'three']) await patch(note(text));
    const { bytes } = await patch(note('four'));
    expect(JSON.parse(bytes.toString()).metadata.annotations).to.deep.equal({ note: 'four' });
  });

  it('refuse a spec that becomes wrong, each time', async () => {
    const wrong = { spec: spec({ image: '' }) };
    expect(await causesOf(wrong)).to.include('spec.containers[0].image');
    await patch(note('x'));
    expect(await causesOf(wrong)).to.include('spec.containers[0].image');
  });

  it('look at annotations that speak of the spec, though that is as it was', async () => {
    const name = 'container.apparmor.security.beta.orch.io/stranger';
    const wrong = { metadata: { annotations: { [name]: 'runtime/default' } } };
    const field = `metadata.annotations[${name}]`;
    expect(await causesOf(wrong)).to.deep.equal([field, field, field]);
  });

  it('are made of nothing that somebody else has stored, whatever is written of its status', async () => {
    const { storage } = registry;
    const stored = registry.served(path).store.cache.get(key);
    const text = stored?.bytes.toString().replace('"example/image:1"', '" example/image:1"') ?? '';
    await storage.update(key, stored?.revision ?? 0, Buffer.from(text));
    expect(await causesOf(note('x'))).to.include('spec.containers[0].image');
    await patch({ status: { message: 'm' } }, 'status');
    expect(await causesOf(note('x'))).to.include('spec.containers[0].image');
  });

  it('do not look again at what is known', async () => {
    const { storage } = registry;
    const { cache } = registry.served(path).store;
    const text = cache.get(key)?.bytes.toString().replace('"example/image:1"', '" example/image:1"') ?? '';
    await storage.update(key, cache.get(key)?.revision ?? 0, Buffer.from(text));
    const stored = cache.get(key);
    if (stored !== undefined) noteValid(stored);
    await patch(note('x'));
  });

  it('stay valid when their status changes', async () => {
    await patch({ status: { message: 'm' } }, 'status');
    await patch(note('x'));
    expect(await causesOf({ spec: spec({ image: ' ' }) })).to.include('spec.containers[0].image');
  });
});
