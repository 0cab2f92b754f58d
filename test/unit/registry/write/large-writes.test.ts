import { expect } from 'chai';
import type { TurnQueue } from '../../../../src/base/index.ts';
import { createObject, type UpdateRequest, updateObject } from '../../../../src/registry/index.ts';
import { TestRegistry } from '../../../support/registry.ts';

const path = 'v1/configmaps';
const user = { name: 'alice', uid: '', groups: [], extra: {} };

/** Counts how often a write lets others go first. */
class CountingTurns implements TurnQueue {
  taken = 0;

  async take(): Promise<void> {
    this.taken++;
  }

  push(step: () => void): void {
    step();
  }
}

/** A config map with so many values of a hundred bytes. */
const configMap = (name: string, count: number, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, 'x'.repeat(100)])),
  ...more,
});

const bytesOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

describe('writes of large objects', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  async function create(name: string, count: number): Promise<number> {
    const turns = new CountingTurns();
    await createObject(registry.served(path), {
      namespace: 'default',
      body: { kind: 'bytes', bytes: bytesOf(configMap(name, count)), format: 'json' },
      manager: 'm',
      options: { user, isDryRun: false, turns },
    });
    return turns.taken;
  }

  async function change(name: string, wanted: UpdateRequest['change']): Promise<number> {
    const turns = new CountingTurns();
    const request = { namespace: 'default', name, subresource: '', manager: 'm', change: wanted };
    await updateObject(registry.served(path), { ...request, options: { user, isDryRun: false, turns } });
    return turns.taken;
  }

  /** Each way to change an object that has so many values. */
  const changes = (name: string, count: number): Readonly<Record<string, UpdateRequest['change']>> => ({
    replace: {
      kind: 'replace',
      body: { kind: 'bytes', bytes: bytesOf(configMap(name, count, { immutable: false })), format: 'json' },
    },
    patch: { kind: 'patch', format: 'merge', bytes: bytesOf({ data: { another: '1' } }) },
    edit: { kind: 'edit', edit: (object) => ({ ...object, immutable: false }) },
    apply: { kind: 'apply', bytes: bytesOf(configMap(name, count, { immutable: false })), isForced: true },
  });

  it('rest between their steps, so that other requests need not wait for all of them', async () => {
    expect(await create('large', 10_000)).to.be.at.least(3);
    for (const [way, wanted] of Object.entries(changes('large', 10_000)))
      expect(await change('large', wanted), way).to.be.at.least(4);
    expect(
      await change('new', { ...changes('new', 10_000).apply } as UpdateRequest['change']),
    ).to.be.at.least(3);
  });

  it('do not where objects are small', async () => {
    expect(await create('small', 10)).to.equal(0);
    for (const [way, wanted] of Object.entries(changes('small', 10)))
      expect(await change('small', wanted), way).to.equal(0);
  });

  it('lose nothing to another write that comes in between', async () => {
    await create('raced', 10_000);
    const others: Promise<number>[] = [];
    const turns: TurnQueue = {
      async take() {
        if (others.length > 0) return;
        const bytes = bytesOf({ data: { second: '2' } });
        others.push(change('raced', { kind: 'patch', format: 'merge', bytes }));
        await others[0];
      },
      push: (step) => step(),
    };
    const bytes = bytesOf({ data: { first: '1' } });
    const wanted = { kind: 'patch', format: 'merge', bytes } as const;
    const request = { namespace: 'default', name: 'raced', subresource: '', manager: 'm', change: wanted };
    const written = await updateObject(registry.served(path), {
      ...request,
      options: { user, isDryRun: false, turns },
    });
    const { data } = JSON.parse(written.bytes.toString());
    expect({ first: data.first, second: data.second, others: others.length }).to.deep.equal({
      first: '1',
      second: '2',
      others: 1,
    });
  });
});
