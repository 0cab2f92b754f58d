import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import { type Storage, StorageError } from '../../../src/storage/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { makeValue, readValue } from '../../conformance/storage/values.ts';
import { type EtcdCluster, etcdctl, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

describe('openEtcdStorage', function () {
  this.timeout(60_000);

  describe('with one member', () => {
    let cluster: EtcdCluster;
    let count = 0;
    before(async () => {
      cluster = await startEtcd();
    });
    after(() => cluster[Symbol.asyncDispose]());

    const prepare = async (): Promise<{ readonly prefix: string; readonly open: () => Promise<Storage> }> => {
      const prefix = `/part-${++count}/`;
      return { prefix, open: () => openEtcdStorage({ endpoints: cluster.endpoints, keyPrefix: prefix }) };
    };

    it('waits for members that answer late, and says so', async () => {
      const [member] = cluster.members;
      await member?.kill();
      const logger = createRecordingLogger();
      const { endpoints } = cluster;
      const opening = openEtcdStorage({ endpoints, keyPrefix: '/late/', openTimeoutMs: 60_000, logger });
      await eventually(async () => logger.lines.find(({ message }) => message === 'waiting for etcd'));
      await member?.restart();
      await using storage = await opening;
      expect(await storage.currentRevision()).to.be.at.least(1);
    });

    it('waits no longer than it is told to', async () => {
      const options = { endpoints: ['http://127.0.0.1:1'], keyPrefix: '/a/', openTimeoutMs: 1 };
      await rejectsWith('unavailable', () => openEtcdStorage(options));
    });

    it('names the endpoints that do not answer', async () => {
      const endpoints = ['http://user:secret@127.0.0.1:1'];
      const failure = await openEtcdStorage({ endpoints, keyPrefix: '/a/' }).catch((error: Error) => error);
      expect(String(failure)).to.include('http://127.0.0.1:1');
      expect(String(failure)).to.not.include('secret');
    });

    it('stores values without resourceVersion, as the reference, and reads what the reference wrote', async () => {
      const { prefix, open } = await prepare();
      await using storage = await open();
      await storage.create(`${prefix}a`, makeValue('a', 1));
      const [endpoint = ''] = cluster.endpoints;
      expect(await etcdctl(endpoint, ['get', `${prefix}a`])).to.not.include('resourceVersion');
      await etcdctl(endpoint, ['put', `${prefix}b`, '{"spec":2,"metadata":{"name":"b"}}']);
      const { objects } = await storage.range({ prefix });
      expect(objects.map(({ bytes, revision }) => [readValue(bytes), revision])).to.deep.equal(
        objects.map(({ revision }, index) => [
          { resourceVersion: String(revision), content: index + 1 },
          revision,
        ]),
      );
    });

    it('tells readers and watches of a value that is not JSON, and goes on', async () => {
      const { prefix, open } = await prepare();
      await using storage = await open();
      const watch = new WatchRecorder(storage, { prefix, afterRevision: await storage.currentRevision() });
      const [endpoint = ''] = cluster.endpoints;
      await etcdctl(endpoint, ['put', `${prefix}bad`, 'binary']);
      expect((await storage.create(`${prefix}good`, makeValue('good'))).kind).to.equal('ok');
      const current = await storage.currentRevision();
      await watch.reaches(current);
      const problem = 'it is not JSON';
      expect(watch.events.map(({ object }) => object.problem)).to.deep.equal([problem, undefined]);
      const { objects } = await storage.range({ prefix });
      expect(objects.map((object) => object.problem)).to.deep.equal([problem, undefined]);
      const revision = (await storage.get(`${prefix}bad`))?.revision ?? 0;
      const again = await storage.create(`${prefix}bad`, makeValue('bad'));
      expect(again.kind === 'conflict' && again.current?.problem).to.equal(problem);
      expect((await storage.delete(`${prefix}bad`, revision)).kind).to.equal('ok');
      expect(await storage.get(`${prefix}bad`)).to.equal(undefined);
    });

    it('progresses to revisions of keys outside of the store', async () => {
      const { prefix, open } = await prepare();
      await using storage = await open();
      const watch = new WatchRecorder(storage, { prefix, afterRevision: await storage.currentRevision() });
      await etcdctl(cluster.endpoints[0] ?? '', ['put', '/elsewhere', 'x']);
      await watch.reaches(await storage.currentRevision());
      expect(watch.events).to.deep.equal([]);
    });

    it('reads a range of large and many values in pages', async () => {
      const { prefix, open } = await prepare();
      await using storage = await open();
      const content = 'x'.repeat(20_000);
      const names = Array.from({ length: 450 }, (_, i) => `${prefix}${i}`).sort();
      await Promise.all(names.map((name) => storage.create(name, makeValue('x', content))));
      const { objects, hasMore } = await storage.range({ prefix });
      expect([objects.map(({ key }) => key), hasMore]).to.deep.equal([names, false]);
      expect((await storage.range({ prefix, limit: 449 })).hasMore).to.equal(true);
    });

    it('says that a value is too large', async () => {
      const { prefix, open } = await prepare();
      await using storage = await open();
      const large = makeValue('x', 'x'.repeat(3_000_000));
      const failure = await storage.create(`${prefix}a`, large).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StorageError).and.to.include({ code: 'too-large' });
    });

    it('delivers the history from before it was opened, then live events', async () => {
      const { prefix, open } = await prepare();
      await using first = await open();
      const start = await first.currentRevision();
      const a = written(await first.create(`${prefix}a`, makeValue('a', 1)));
      const gone = written(await first.delete(a.key, a.revision));
      await using second = await open();
      const watch = new WatchRecorder(second, { prefix, afterRevision: start });
      await watch.reaches(gone.revision);
      const b = written(await first.create(`${prefix}b`, makeValue('b', 1)));
      await watch.reaches(b.revision);
      expect(watch.lines).to.deep.equal([
        `put ${a.key}@${a.revision}`,
        `delete ${a.key}@${gone.revision}`,
        `put ${b.key}@${b.revision}`,
      ]);
    });
  });

  describe('with three members', () => {
    let cluster: EtcdCluster;
    before(async () => {
      cluster = await startEtcd({ memberCount: 3 });
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const fault of ['pause', 'kill'] as const) {
      it(`goes on without gap or repetition when its member is lost (${fault})`, async () => {
        const prefix = `/${fault}/`;
        await using storage = await openEtcdStorage({ endpoints: cluster.endpoints, keyPrefix: prefix });
        const watch = new WatchRecorder(storage, { prefix, afterRevision: await storage.currentRevision() });
        const [member] = cluster.members;
        const create = (name: string): Promise<number | undefined> =>
          storage.create(`${prefix}${name}`, makeValue(name)).then(
            (result) => (result.kind === 'ok' ? result.revision : result.current?.revision),
            () => undefined,
          );
        for (let i = 0; i < 10; i++) await create(`before-${i}`);
        if (fault === 'kill') await member?.kill();
        else member?.pause();
        try {
          const last = await eventually(() => create('after'));
          await watch.reaches(last);
          const { objects } = await storage.range({ prefix });
          expect(watch.lines).to.have.members(objects.map(({ key, revision }) => `put ${key}@${revision}`));
          expect(objects).to.have.lengthOf(11);
        } finally {
          if (fault === 'kill') await member?.restart();
          else member?.resume();
        }
      });
    }

    it('fails in time when there is no majority', async () => {
      const storage = await openEtcdStorage({
        endpoints: cluster.endpoints,
        keyPrefix: '/minority/',
        requestTimeoutMs: 1500,
      });
      for (const member of cluster.members.slice(1)) member.pause();
      try {
        await rejectsWith('unavailable', () => storage.create('/minority/a', makeValue('a')));
        await rejectsWith('unavailable', () => storage.currentRevision());
        await rejectsWith('unavailable', () => storage.ping());
      } finally {
        for (const member of cluster.members.slice(1)) member.resume();
        await storage[Symbol.asyncDispose]();
      }
    });
  });
});
