import { expect } from 'chai';
import {
  type Storage,
  StorageError,
  type StorageWatch,
  type WatchSink,
} from '../../../../src/storage/index.ts';
import { openMemoryStorage } from '../../../../src/storage/memory/index.ts';
import { HandTurned } from './hand-turned.ts';
import { openPodCache, type PodCache, podPrefix } from './pods.ts';
import { settle, shortKey, WatchLog } from './watch-log.ts';

/** A store whose newest watch can be lost. */
class LossyStore {
  readonly storage: Storage;
  #newest: { readonly watch: StorageWatch; readonly sink: WatchSink } | undefined;

  constructor() {
    const memory = openMemoryStorage();
    const watch: Storage['watch'] = (request, sink) => {
      const opened = memory.watch(request, sink);
      this.#newest = { watch: opened, sink };
      return opened;
    };
    this.storage = new Proxy(memory, {
      get(target, name) {
        if (name === 'watch') return watch;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  lose(): void {
    this.#newest?.watch.close();
    this.#newest?.sink.onError(new StorageError('unavailable', 'connection lost'));
  }
}

const codesOf = ({ errors }: WatchLog): string[] => errors.map(({ code }) => code);

describe('WatchCache, when the watch of the store is lost', () => {
  const count = 200;
  let store: LossyStore;
  let hand: HandTurned;
  let fixture: PodCache;
  beforeEach(async () => {
    store = new LossyStore();
    hand = new HandTurned(3);
    fixture = await openPodCache({ storage: store.storage, slices: hand.slices });
    for (let n = 0; n < count; n++) await fixture.put(`a/${1000 + n}`);
    await settle();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  /** Loads again, up to the end. @returns rounds of the event loop that it took beyond the first. */
  const reload = async (): Promise<number> => {
    fixture.clock.advance(1000);
    await settle();
    let rounds = 0;
    for (; !fixture.cache.isCurrent; rounds++) await hand.turn();
    return rounds;
  };

  it('fills itself in several rounds, and shows the old state until all of the new one is there', async () => {
    store.lose();
    await fixture.remove('a/1000');
    await fixture.put('a/new');
    fixture.clock.advance(1000);
    await settle();
    const revision = fixture.cache.revision;
    let rounds = 0;
    for (; !fixture.cache.isCurrent; rounds++) {
      expect(fixture.pods.size).to.equal(count);
      expect(fixture.pods.get(`${podPrefix}a/1000`)).to.not.equal(undefined);
      expect(fixture.cache.revision).to.equal(revision);
      await hand.turn();
    }
    expect(rounds).to.be.within(3, 30);
    expect(fixture.pods.get(`${podPrefix}a/1000`)).to.equal(undefined);
    expect(fixture.pods.get(`${podPrefix}a/new`)).to.not.equal(undefined);
    expect(fixture.cache.revision).to.equal(revision + 2);
  });

  it('misses nothing that happens while it fills itself', async () => {
    store.lose();
    fixture.clock.advance(1000);
    await settle();
    expect(fixture.cache.isCurrent).to.equal(false);
    await fixture.put('a/meanwhile');
    while (await hand.turn());
    expect(fixture.pods.get(`${podPrefix}a/meanwhile`)).to.not.equal(undefined);
  });

  it('gives a resource that joins meanwhile its objects', async () => {
    const prefix = '/registry/nodes/';
    for (const name of ['x', 'y']) await fixture.storage.create(prefix + name, Buffer.from(node(name)));
    store.lose();
    fixture.clock.advance(1000);
    await settle();
    await hand.turn();
    const nodes = fixture.cache.resource(prefix);
    while (!fixture.cache.isCurrent) await hand.turn();
    expect([...nodes.objects.keys()].map((key) => key.slice(prefix.length))).to.deep.equal(['x', 'y']);
    expect(fixture.pods.size).to.equal(count);
  });

  it('ends watches that begin before it has loaded again', async () => {
    store.lose();
    const { revision } = fixture.cache;
    const late = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: revision });
    const ofState = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: 'state' });
    await settle();
    await fixture.put('a/missed');
    await reload();
    while (await hand.turn());
    const fresh = new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: fixture.cache.revision });
    await settle();
    await fixture.put('a/seen');
    expect([codesOf(late), codesOf(ofState)]).to.deep.equal([['compacted'], ['compacted']]);
    expect(late.events).to.deep.equal([]);
    expect(fresh.events.map(({ object }) => shortKey(object.key))).to.deep.equal(['a/seen']);
  });

  it('tells many watches in several rounds, and none that has left', async () => {
    const { revision } = fixture.cache;
    const logs = Array.from(
      { length: 50 },
      () => new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: revision }),
    );
    await settle();
    store.lose();
    const told = () => logs.filter(({ errors }) => errors.length > 0).length;
    expect(told()).to.be.within(1, 10);
    const [last, ...others] = logs.toReversed();
    last?.watch.close();
    while (await hand.turn());
    expect(told()).to.equal(others.length);
    for (const log of others) expect(codesOf(log)).to.deep.equal(['compacted']);
    expect(last?.errors).to.deep.equal([]);
  });

  it('ends all watches at once when it is closed', async () => {
    const { revision } = fixture.cache;
    const logs = Array.from(
      { length: 50 },
      () => new WatchLog(fixture.pods, { prefix: podPrefix, afterRevision: revision }),
    );
    await settle();
    await fixture.cache[Symbol.asyncDispose]();
    for (const log of logs) expect(codesOf(log)).to.deep.equal(['closed']);
  });
});

const node = (name: string): string =>
  JSON.stringify({ kind: 'Node', apiVersion: 'v1', metadata: { name, resourceVersion: '' } });
