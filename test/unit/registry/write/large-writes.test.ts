import { expect } from 'chai';
import type { TurnQueue } from '../../../../src/base/index.ts';
import {
  compilePatch,
  createObject,
  deleteObject,
  type ServedKind,
  type UpdateRequest,
  updateObject,
} from '../../../../src/registry/index.ts';
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

  it('rest between the steps that take away what a configuration no longer has', async () => {
    const applied = (count: number, more: object = {}) =>
      change('dropped', {
        kind: 'apply',
        bytes: bytesOf(configMap('dropped', count, more)),
        isForced: true,
      });
    await applied(10_000);
    const withNewValue = await applied(10_000, { immutable: false });
    // Removing, putting back what others own, and what nobody does, each of several steps.
    expect((await applied(9_000)) - withNewValue).to.be.at.least(8);
    const kept = (await registry.stored(path, 'dropped')) as { readonly data?: object } | undefined; // a config map
    expect(Object.keys(kept?.data ?? {})).to.have.length(9_000);
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

  describe('go first for others', () => {
    const log: string[] = [];
    const turns: TurnQueue = {
      take: async () => {
        log.push('others');
      },
      push: (step) => step(),
    };
    const options = { user, isDryRun: false, turns };
    const body = (name: string, count: number, more: object = {}) =>
      ({ kind: 'bytes', bytes: bytesOf(configMap(name, count, more)), format: 'json' }) as const;
    const create = (name: string, count: number, served = registry.served(path)) =>
      createObject(served, { namespace: 'default', body: body(name, count), manager: 'm', options });
    const update = (name: string, wanted: UpdateRequest['change'], served: ServedKind) =>
      updateObject(served, {
        ...{ namespace: 'default', name, subresource: '', manager: 'm', options },
        change: wanted,
      });
    const remove = (name: string, served: ServedKind) =>
      deleteObject(served, { namespace: 'default', name, deleteOptions: {}, options });

    /** The kind, with a log of what is done with its objects. */
    function watched(): ServedKind {
      const kind = registry.served(path);
      const { store } = kind;
      const { admission, rules } = store;
      const note = <T>(text: string, value: T): T => {
        log.push(text);
        return value;
      };
      return {
        ...kind,
        rules: {
          ...rules,
          validate: (object, context) => note('validate', rules.validate?.(object, context) ?? []),
        },
        store: {
          ...store,
          rules: { ...rules, prepareForDelete: () => note('mark', undefined) },
          admission: { ...admission, admit: (change) => note('admit', admission.admit(change)) },
          applyDefaults: (object) => note('defaults', store.applyDefaults(object)),
          foresee: () => note('store', undefined),
        },
      };
    }

    /** Logs from now on what decodes a stored object. */
    function noteDecodes(name: string): void {
      const { cache, keyPrefix } = registry.served(path).store;
      const stored = cache.get(`${keyPrefix}default/${name}`);
      if (stored === undefined) throw new Error(`${name} is not stored`);
      const decode = stored.decode.bind(stored);
      const value = () => {
        log.push('decode');
        return decode();
      };
      Object.defineProperty(stored, 'decode', { value });
    }
    beforeEach(() => {
      log.length = 0;
    });

    it('before a new object is checked, before and while it is encoded, and before it is stored', async () => {
      await create('new', 10_000, watched());
      expect(log.slice(log.indexOf('admit'))).to.deep.equal([
        ...['admit', 'others', 'validate', 'others', 'defaults', 'others', 'others', 'others', 'store'],
      ]);
    });

    it('before a changed object is compared, before and while it is encoded, and before it is stored', async () => {
      const ways = changes('a', 10_000);
      for (const way of ['replace', 'patch', 'apply']) {
        await create(`of-${way}`, 10_000);
        log.length = 0;
        const wanted = changes(`of-${way}`, 10_000)[way] ?? ways.patch;
        await update(`of-${way}`, wanted as UpdateRequest['change'], watched());
        expect(log.slice(log.lastIndexOf('defaults')), way).to.deep.equal([
          'defaults',
          ...Array.from({ length: 4 }, () => 'others'),
          'store',
        ]);
      }
    });

    it('between the steps of a deletion, which decodes the object once', async () => {
      await create('gone', 10_000);
      await registry.create(
        path,
        configMap('held', 10_000, { metadata: { name: 'held', finalizers: ['a.example/b'] } }),
      );
      log.length = 0;
      noteDecodes('gone');
      await remove('gone', watched());
      expect(log).to.deep.equal(['decode', 'others', 'admit', 'others', 'mark']);
      log.length = 0;
      noteDecodes('held');
      const held = await remove('held', watched());
      expect(log).to.deep.equal(['decode', 'others', 'admit', 'others', 'mark', 'others', 'store']);
      expect(held.kind === 'object' && held.cached?.bytes === held.bytes).to.equal(true);
    });

    it('not in the deletion of a small object', async () => {
      await create('small', 10);
      log.length = 0;
      noteDecodes('small');
      await remove('small', watched());
      expect(log).to.deep.equal(['decode', 'admit', 'mark']);
    });

    it('leave what is stored as it is when a deletion only tries', async () => {
      const metadata = { name: 'kept', finalizers: ['a.example/b'] };
      const created = await registry.create(path, configMap('kept', 10_000, { metadata }));
      await deleteObject(registry.served(path), {
        ...{ namespace: 'default', name: 'kept', deleteOptions: { propagationPolicy: 'Foreground' } },
        options: { ...options, isDryRun: true },
      });
      expect((await registry.stored(path, 'kept'))?.metadata).to.deep.equal(created.metadata);
    });

    it('between applying a patch and decoding what it made', () => {
      const { kind, store } = registry.served(path);
      const patch = compilePatch(
        { format: 'merge', bytes: bytesOf({}) },
        kind,
        store.environment.ruleContext,
      );
      const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
      expect([...patch(object)]).to.have.length(1);
    });

    it('between parsing and decoding a body, and between reading a value and measuring it', () => {
      const { store, kind } = registry.served(path);
      expect([...store.decodeBody(body('a', 1), kind)]).to.have.length(1);
      const value = Buffer.from(JSON.stringify(configMap('a', 1)));
      expect([...(store.protobufSizeOf?.(value) ?? [])]).to.have.length(1);
    });
  });
});
