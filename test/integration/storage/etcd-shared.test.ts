import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { silentLogger } from '../../../src/base/index.ts';
import { Cluster } from '../../../src/storage/etcd/cluster.ts';
import { startSharedCompaction } from '../../../src/storage/etcd/compaction.ts';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { written } from '../../conformance/storage/expect.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { makeValue } from '../../conformance/storage/values.ts';
import { type EtcdCluster, etcdctl, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const intervalMs = 60_000;

describe('openEtcdStorage, with others on the same etcd', function () {
  this.timeout(60_000);
  let etcd: EtcdCluster;
  let count = 0;
  before(async () => {
    etcd = await startEtcd({ args: ['--unsafe-no-fsync'] });
  });
  after(() => etcd?.[Symbol.asyncDispose]());

  const nextPrefix = (): string => `/shared-${++count}/`;
  const open = (keyPrefix: string, clock?: ManualClock): Promise<Storage> =>
    openEtcdStorage({ endpoints: etcd.endpoints, keyPrefix, clock, historyMs: intervalMs });
  const ctl = (...args: string[]): Promise<string> => etcdctl(etcd.endpoints[0] ?? '', args);

  describe('when leases are revoked behind its back', () => {
    const ttlSeconds = 3600;
    const revokeAll = async (): Promise<void> => {
      const [, ...ids] = (await ctl('lease', 'list')).trim().split('\n');
      expect(ids).to.not.be.empty;
      for (const id of ids) await ctl('lease', 'revoke', id);
    };

    it('removes their keys with ordinary events, and writes on with one new lease', async () => {
      const prefix = nextPrefix();
      await using storage = await open(prefix);
      const watch = new WatchRecorder(storage, { prefix, afterRevision: await storage.currentRevision() });
      const a = written(await storage.create(`${prefix}a`, makeValue('a'), { ttlSeconds }));
      await revokeAll();
      const names = Array.from({ length: 20 }, (_, i) => `${prefix}b${i}`);
      const objects = await Promise.all(
        names.map(async (name) => written(await storage.create(name, makeValue(name), { ttlSeconds }))),
      );
      await watch.reaches(await storage.currentRevision());
      expect(watch.lines[1] ?? '').to.match(new RegExp(`^delete ${a.key}@`));
      expect(watch.lines.slice(2)).to.have.members(
        objects.map(({ key, revision }) => `put ${key}@${revision}`),
      );
      const [, ...leases] = (await ctl('lease', 'list')).trim().split('\n');
      expect(leases).to.have.lengthOf(1);
    });

    it('updates a key that stays, and gives it the new lease', async () => {
      const prefix = nextPrefix();
      await using storage = await open(prefix);
      await storage.create(`${prefix}other`, makeValue('other'), { ttlSeconds });
      const kept = written(await storage.create(`${prefix}kept`, makeValue('kept')));
      await revokeAll();
      const updated = written(
        await storage.update(kept.key, kept.revision, makeValue('kept', 2), { ttlSeconds }),
      );
      expect((await storage.get(kept.key))?.revision).to.equal(updated.revision);
      await revokeAll();
      expect(await storage.get(kept.key)).to.equal(undefined);
    });
  });

  describe('when each of them compacts', () => {
    /** One of the processes: counts its rounds and what it compacts. */
    const join = (cluster: Cluster) => {
      const clock = new ManualClock();
      const compacted: number[] = [];
      let rounds = 0;
      const counting = {
        call: async (...args: Parameters<Cluster['call']>) => {
          const answer = await cluster.call(...args);
          rounds++;
          return answer;
        },
      };
      const stop = startSharedCompaction({
        // The one method that it uses.
        cluster: counting as Cluster,
        clock,
        logger: silentLogger,
        intervalMs,
        compact: async (revision) => void compacted.push(revision),
      });
      const round = async (): Promise<void> => {
        const before = rounds;
        clock.advance(intervalMs);
        await eventually(async () => (rounds > before && clock.timerCount === 1 ? true : undefined));
      };
      return { round, stop, compacted };
    };

    it('one of them compacts what is an interval old, and another goes on when that one is gone', async () => {
      const prefix = nextPrefix();
      await using storage = await open(prefix);
      const cluster = new Cluster({ endpoints: etcd.endpoints, requestTimeoutMs: 5000 });
      const [one, other] = [join(cluster), join(cluster)];
      const revisions: number[] = [];
      try {
        for (let round = 0; round < 5; round++) {
          await one.round();
          await other.round();
          revisions.push(written(await storage.create(`${prefix}${round}`, makeValue('x'))).revision);
        }
        const all = [...one.compacted, ...other.compacted];
        expect(all).to.not.be.empty;
        expect(new Set(all), 'nothing is compacted twice').to.have.lengthOf(all.length);
        for (const revision of all) expect(revision).to.be.below(revisions.at(-2) ?? 0);
        one.stop();
        const before = other.compacted.length;
        for (let round = 0; round < 3; round++) await other.round();
        expect(other.compacted.length).to.be.above(before);
        expect(other.compacted.at(-1) ?? 0).to.be.at.least(revisions.at(-1) ?? 0);
      } finally {
        one.stop();
        other.stop();
        cluster.close();
      }
    });

    it('does no harm to those who watch, and tells who starts before history that it is gone', async () => {
      const prefix = nextPrefix();
      const clocks = [new ManualClock(), new ManualClock()];
      const stores = await Promise.all(clocks.map((clock) => open(prefix, clock)));
      const [one, other] = stores;
      if (one === undefined || other === undefined) throw new Error('there are two');
      try {
        const start = await one.currentRevision();
        const watches = stores.map((store) => new WatchRecorder(store, { prefix, afterRevision: start }));
        const first = written(await one.create(`${prefix}a`, makeValue('a', 0)));
        let last = first;
        await eventually(async () => {
          // At the same time, as by servers that were started together.
          for (const clock of clocks) clock.advance(intervalMs);
          last = written(await other.update(last.key, last.revision, makeValue('a', last.revision)));
          return (await one.stats()).compactedRevision > first.revision ? true : undefined;
        });
        for (const watch of watches) {
          await watch.reaches(last.revision);
          expect(watch.errors).to.be.empty;
          expect(watch.events.at(-1)?.revision).to.equal(last.revision);
        }
        await using third = await open(prefix);
        const late = new WatchRecorder(third, { prefix, afterRevision: start });
        await late.fails();
        expect(late.errors[0]?.code).to.equal('compacted');
        const past = await third.range({ prefix, revision: first.revision }).catch((error: unknown) => error);
        const { compactedRevision } = await third.stats();
        expect(past, `${first.revision}, compacted ${compactedRevision}`).to.have.property(
          'code',
          'compacted',
        );
      } finally {
        for (const store of stores) await store[Symbol.asyncDispose]();
      }
    });
  });
});
