import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { PodViews, type RelistResult, RuntimeRelist } from '../../../../src/nodeagent/lifecycle/index.ts';
import {
  type Container,
  RuntimeError,
  type RuntimeService,
} from '../../../../src/nodeagent/runtime/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const containerOf = (id: string, uid: string, state: Container['state'] = 'running'): Container => ({
  id,
  podSandboxId: 's',
  metadata: { name: 'app', attempt: 0 },
  image: 'i',
  imageRef: 'i',
  state,
  createdAtMs: 1,
  labels: { 'io.orch.pod.uid': uid },
  annotations: {},
});

function open(list: (time: SimulatedTime) => Promise<readonly Container[]>) {
  const time = new SimulatedTime();
  const logger = createRecordingLogger();
  const abort = new AbortController();
  const changed: string[] = [];
  const relists: RelistResult[] = [];
  const recovered: number[] = [];
  const runtime: Partial<RuntimeService> = {
    listPodSandboxes: async () => [],
    listContainers: () => list(time),
  };
  const relist = new RuntimeRelist({
    // Nothing else is asked.
    views: new PodViews({
      runtime: runtime as RuntimeService,
      dialect: orchDialect,
      readMessage: async () => '',
    }),
    clock: time.clockOf('watch'),
    logger,
    signal: abort.signal,
    onChange: (uid) => changed.push(uid),
    onListing: () => {},
    onRecovered: () => recovered.push(time.nowMs),
    onRelist: (result) => relists.push(result),
  });
  relist.start();
  return { time, logger, abort, changed, relist, relists, recovered };
}

describe('RuntimeRelist', () => {
  it('tells whose pods came, changed and went, and nothing twice', async () => {
    let listed: readonly Container[] = [containerOf('a', 'one'), containerOf('b', 'two')];
    const { time, changed } = open(async () => listed);
    await time.pass(1500);
    expect(changed.splice(0)).to.deep.equal(['one', 'two']);
    listed = [containerOf('b', 'two', 'exited'), containerOf('c', 'three')];
    await time.pass(3000);
    expect(changed).to.have.members(['one', 'two', 'three']).and.to.have.length(3);
  });

  it('tells how long relists take and how far they are apart, also those that nobody answers', async () => {
    let isAway = false;
    const { time, relists } = open(async (clock) => {
      await clock.sleep(200);
      if (isAway) throw new RuntimeError('unavailable', 'away');
      return [];
    });
    await time.pass(500);
    isAway = true;
    await time.pass(2000);
    expect(relists).to.deep.equal([
      { startedAtMs: time.beginMs, durationMs: 200, intervalMs: undefined, hasAnswered: true },
      { startedAtMs: time.beginMs + 1200, durationMs: 200, intervalMs: 1200, hasAnswered: false },
    ]);
  });

  it('says once that the runtime is away and once that it is back, and tells what changed meanwhile', async () => {
    let isAway = false;
    let listed = [containerOf('a', 'one')];
    const { time, logger, changed, relist } = open(async () => {
      if (isAway) throw new RuntimeError('unavailable', 'away');
      return listed;
    });
    await time.pass(500);
    isAway = true;
    await time.pass(5000);
    expect(relist.failure).to.be.instanceOf(RuntimeError);
    expect(relist.listing.containers).to.have.length(1);
    listed = [containerOf('a', 'one', 'exited')];
    isAway = false;
    await time.pass(2000);
    expect(changed).to.deep.equal(['one', 'one']);
    expect(logger.lines.map(({ level }) => level)).to.deep.equal(['error', 'info']);
    expect(relist.failure).to.equal(undefined);
  });

  it('asks no more once it is over, whatever was under way', async () => {
    const answer = Promise.withResolvers<readonly Container[]>();
    let count = 0;
    const { time, abort, changed } = open(() => {
      count += 1;
      return answer.promise;
    });
    await time.pass(10_000);
    abort.abort();
    answer.resolve([containerOf('a', 'one')]);
    await time.pass(10_000);
    expect([count, changed, time.pending('watch')]).to.deep.equal([1, [], 0]);
  });

  it('is a problem of the node before the first answer, and when the last one is three minutes old', async () => {
    let answer = Promise.withResolvers<readonly Container[]>();
    const { time, relist, recovered } = open(() => answer.promise);
    await time.pass(10_000);
    expect(relist.problem).to.equal('PLEG is not healthy: pleg has yet to be successful');
    answer.resolve([]);
    await time.pass(0);
    expect([relist.problem, recovered.length]).to.deep.equal([undefined, 1]);
    const answeredAtMs = relist.answeredAtMs ?? 0;
    answer = Promise.withResolvers();
    await time.pass(180_000);
    expect(relist.problem).to.equal(undefined);
    await time.pass(2500);
    expect(answeredAtMs).to.equal(time.nowMs - 182_500);
    expect(relist.problem).to.equal(
      'PLEG is not healthy: pleg was last seen active 3m2.5s ago; threshold is 3m0s',
    );
    answer.resolve([]);
    await time.pass(0);
    expect([relist.problem, recovered.length]).to.deep.equal([undefined, 2]);
  });
});
