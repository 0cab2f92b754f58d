import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import { StorageError } from '../../../src/storage/index.ts';
import { rejectsWith, written } from '../../conformance/storage/expect.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { makeValue } from '../../conformance/storage/values.ts';
import { splitMembers } from '../../support/etcd-leader.ts';
import { type EtcdCluster, type EtcdMember, startEtcd } from '../../support/etcd-process.ts';
import { eventually } from '../../support/eventually.ts';
import { canMakeNetworks, type MemberNetworks, makeMemberNetworks } from '../../support/member-networks.ts';
import { surviveFault, writesOfService } from './survive-fault.ts';

/** Calls that are under way when a member loses its leader hang for so long. */
const requestTimeoutMs = 1500;

describe('openEtcdStorage, while the network parts one member from the others', function () {
  this.timeout(60_000);
  let networks: MemberNetworks | undefined;
  let cluster: EtcdCluster;
  let count = 0;
  before(async function () {
    // Networks take the rights of root, which only the machines of the project's checks are sure to have.
    if (!canMakeNetworks()) this.skip();
    networks = makeMemberNetworks(3);
    // Elections twice as fast as by default, to lose less time with them.
    const args = ['--heartbeat-interval=50', '--election-timeout=500'];
    cluster = await startEtcd({ memberCount: 3, networks: networks.members, args });
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    networks?.[Symbol.dispose]();
  });

  const nextPrefix = (): string => `/partition-${++count}/`;
  const open = (prefix: string, members: readonly EtcdMember[]) =>
    openEtcdStorage({
      endpoints: members.map(({ endpoint }) => endpoint),
      keyPrefix: prefix,
      requestTimeoutMs,
    });

  /** Parts `member` from the others while `work` is done. */
  const parted = async (member: EtcdMember | undefined, work: () => Promise<void>): Promise<void> => {
    const network = networks?.members[member === undefined ? -1 : cluster.members.indexOf(member)];
    if (network === undefined) throw new Error('there is no such member');
    network.cutOff();
    try {
      await work();
    } finally {
      network.heal();
    }
  };

  for (const role of ['a follower', 'the leader'] as const) {
    it(`loses nothing, and watches go on elsewhere, when it uses ${role} and that one is parted`, async () => {
      const { leader, followers } = await splitMembers(cluster.members);
      const lonely = role === 'the leader' ? leader : followers[0];
      const others = cluster.members.filter((member) => member !== lonely);
      const endpoints = [lonely, ...others].flatMap((member) => member?.endpoint ?? []);
      await surviveFault({ endpoints, prefix: nextPrefix() }, (load, { storage, watch }) =>
        parted(lonely, async () => {
          await load.succeeds(writesOfService);
          await watch.reaches(await eventually(() => storage.currentRevision().catch(() => undefined)));
          expect(watch.errors).to.be.empty;
        }),
      );
    });
  }

  it('fails soon and says why when it knows only the parted member, and catches up afterwards', async () => {
    const prefix = nextPrefix();
    const { leader, followers } = await splitMembers(cluster.members);
    const [lonely] = followers;
    await using inside = await open(prefix, lonely === undefined ? [] : [lonely]);
    await using outside = await open(prefix, [leader]);
    const watch = new WatchRecorder(inside, { prefix, afterRevision: await inside.currentRevision() });
    const before = written(await inside.create(`${prefix}a`, makeValue('a')));
    let last = before;
    await parted(lonely, async () => {
      await eventually(async () => {
        const startMs = performance.now();
        const failure = await inside.get(before.key).catch((error: unknown) => error);
        const isSoon = performance.now() - startMs < 500;
        return isSoon && failure instanceof StorageError && /no leader/.test(failure.message)
          ? true
          : undefined;
      });
      await rejectsWith('unavailable', () => inside.create(`${prefix}b`, makeValue('b')));
      await rejectsWith('unavailable', () => inside.range({ prefix }));
      await rejectsWith('unavailable', () => inside.currentRevision());
      last = written(await outside.update(before.key, before.revision, makeValue('a', 2)));
      expect(watch.lines).to.deep.equal([`put ${before.key}@${before.revision}`]);
    });
    await watch.reaches(last.revision);
    expect(watch.errors).to.be.empty;
    expect(watch.lines.at(-1)).to.deep.equal(`put ${last.key}@${last.revision}`);
    const again = await eventually(() => inside.get(before.key).catch(() => undefined));
    expect(again.revision).to.equal(last.revision);
  });

  it('tells watches of the parted member that what it missed is gone', async () => {
    const prefix = nextPrefix();
    const { leader, followers } = await splitMembers(cluster.members);
    const [lonely] = followers;
    await using inside = await open(prefix, lonely === undefined ? [] : [lonely]);
    await using outside = await open(prefix, [leader]);
    const watch = new WatchRecorder(inside, { prefix, afterRevision: await inside.currentRevision() });
    let last = written(await inside.create(`${prefix}a`, makeValue('a')));
    await watch.reaches(last.revision);
    await parted(lonely, async () => {
      // Until the member has noticed: what it still sends by itself is no history that is gone.
      await eventually(() =>
        inside.currentRevision().then(
          () => undefined,
          () => true,
        ),
      );
      for (let round = 0; round < 5; round++)
        last = written(await outside.update(last.key, last.revision, makeValue('a', round)));
      await outside.compact(last.revision);
    });
    await Promise.race([watch.reaches(last.revision), watch.fails()]);
    // The member may have sent it all before it heard that it was compacted.
    if (watch.errors.length === 0) expect(watch.events).to.have.lengthOf(6);
    else expect(watch.errors[0]?.code).to.equal('compacted');
    const late = new WatchRecorder(inside, { prefix, afterRevision: 1 });
    await late.fails();
    expect(late.errors[0]?.code).to.equal('compacted');
  });
});
