import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { splitMembers, statusOf } from '../../support/etcd-leader.ts';
import { type EtcdCluster, type EtcdMember, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { StorageLoad } from './storage-load.ts';
import { surviveFault, writesOfService } from './survive-fault.ts';

const followerPauseMs = 3000;
const leaderPauseMs = 4000;

describe('openEtcdStorage, under load while members fail', function () {
  this.timeout(60_000);
  let cluster: EtcdCluster;
  let count = 0;
  before(async () => {
    cluster = await startEtcd({ memberCount: 3 });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const openPart = (prefix: string, members: readonly EtcdMember[]): Promise<Storage> =>
    openEtcdStorage({ endpoints: members.map(({ endpoint }) => endpoint), keyPrefix: prefix });

  const split = () => splitMembers(cluster.members);

  const survive = (fault: (load: StorageLoad) => Promise<void>): Promise<void> =>
    surviveFault({ endpoints: cluster.endpoints, prefix: `/faults-${++count}/` }, fault);

  it('loses nothing when the leader is killed and started again', () =>
    survive(async (load) => {
      const { leader } = await split();
      await leader.kill();
      await load.succeeds(writesOfService);
      leader.restart();
      await eventually(async () => ((await statusOf(leader)) === undefined ? undefined : true));
    }));

  it('loses nothing when a follower hangs', () =>
    survive(async () => {
      const { followers } = await split();
      await hang(followers[0], followerPauseMs);
    }));

  it('loses nothing when the leader hangs', () =>
    survive(async () => {
      const { leader } = await split();
      await hang(leader, leaderPauseMs);
    }));

  it('tells a watch whose member hung that history is gone, or gives it all of it', async () => {
    const prefix = `/faults-${++count}/`;
    const { leader, followers } = await split();
    const [slow, other] = followers;
    if (slow === undefined || other === undefined) throw new Error('there are three members');
    await using storage = await openPart(prefix, [leader, other]);
    await using watched = await openPart(prefix, [slow]);
    const start = await storage.currentRevision();
    const watch = new WatchRecorder(watched, { prefix, afterRevision: start });
    const load = new StorageLoad(storage, prefix);
    try {
      await load.succeeds(writesOfService);
      slow.pause();
      await load.succeeds(writesOfService);
      await storage.compact(await storage.currentRevision());
      await load.succeeds(writesOfService);
      slow.resume();
      await load.succeeds(writesOfService);
    } finally {
      slow.resume();
      await load.stop();
    }
    expect(load.surprises).to.deep.equal([]);
    const { objects, revision } = await storage.range({ prefix });
    const isTold = async (one: WatchRecorder): Promise<void> => {
      await Promise.race([one.reaches(revision), one.fails()]);
      for (const { code } of one.errors) expect(code).to.equal('compacted');
      load.check({ watch: one, objects, start });
    };
    await isTold(watch);
    // One that comes later is told the same: what its process has heard of stays in its memory for a while.
    const late = new WatchRecorder(watched, { prefix, afterRevision: start });
    await isTold(late);
    if (watch.errors.length > 0) expect(late.events).to.be.empty;
  });
});

async function hang(member: EtcdMember | undefined, ms: number): Promise<void> {
  member?.pause();
  try {
    await delay(ms);
  } finally {
    member?.resume();
  }
}
