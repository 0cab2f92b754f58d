import { expect } from 'chai';
import type { Lease } from '../../../../src/apis/types/coordination-v1.ts';
import { TransportError } from '../../../../src/client/rest/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { keepNodeLease } from '../../../../src/nodeagent/node/node-lease.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { type FakeAnswer, fakeRestClient, refusal, type SentRequest } from '../fake-rest.ts';

const collection = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';

describe('keepNodeLease', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A server that keeps one lease; `intrude` answers instead of it when it gives something. */
  function start(intrude: (request: SentRequest) => FakeAnswer | undefined = () => undefined) {
    const clock = new ManualClock();
    const stop = new AbortController();
    const sent: string[] = [];
    const world: { uid: string | undefined; lease: Lease | undefined; recoveries: number } = {
      uid: 'u',
      lease: undefined,
      recoveries: 0,
    };
    const client = fakeRestClient((request) => {
      sent.push(request.method);
      const answer = intrude(request);
      if (answer !== undefined) return answer;
      expect(request.path).to.equal(request.method === 'POST' ? collection : `${collection}/n`);
      // What is sent to these paths is a lease.
      if (request.method !== 'GET') world.lease = request.body as Lease;
      return world.lease === undefined ? refusal(404, 'NotFound') : { status: 200, body: world.lease };
    });
    const done = keepNodeLease({
      client,
      nodeName: 'n',
      nodeUid: () => world.uid,
      durationSeconds: 40,
      onRecovered: () => void world.recoveries++,
      dialect: orchDialect,
      clock,
      logger: createRecordingLogger(),
      signal: stop.signal,
    });
    ends.push(async () => {
      stop.abort();
      await done;
    });
    const rest = async (): Promise<void> => {
      while (clock.timerCount === 0) await new Promise(setImmediate);
    };
    const pass = async (ms: number): Promise<void> => {
      await rest();
      clock.advance(ms);
      await rest();
    };
    return { clock, sent, world, rest, pass };
  }

  it('makes a lease that belongs to the node', async () => {
    const { world, sent, rest } = start();
    await rest();
    expect(sent).to.deep.equal(['GET', 'POST']);
    expect(world.lease).to.deep.equal({
      kind: 'Lease',
      apiVersion: 'coordination.orch.io/v1',
      metadata: {
        name: 'n',
        namespace: 'orch-node-lease',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
      },
      spec: { holderIdentity: 'n', leaseDurationSeconds: 40, renewTime: '1970-01-01T00:00:00.000000Z' },
    });
  });

  it('renews it every quarter of its time without looking at it first', async () => {
    const { world, sent, pass } = start();
    await pass(10_000);
    expect(world.lease?.spec.renewTime).to.equal('1970-01-01T00:00:10.000000Z');
    expect(sent).to.deep.equal(['GET', 'POST', 'PUT']);
  });

  it('makes none while there is no node, and tries sooner', async () => {
    const { world, sent, pass } = start();
    world.uid = undefined;
    await pass(200);
    expect(world.lease).to.equal(undefined);
    world.uid = 'later';
    await pass(400);
    expect(sent.at(-1)).to.equal('POST');
    expect(world.lease?.metadata.ownerReferences?.[0]?.uid).to.equal('later');
  });

  it('looks again when somebody else has written it', async () => {
    let conflicts = 1;
    const { sent, pass } = start(({ method }) =>
      method === 'PUT' && conflicts-- > 0 ? refusal(409, 'Conflict') : undefined,
    );
    await pass(10_000);
    expect(sent).to.deep.equal(['GET', 'POST', 'PUT', 'GET', 'PUT']);
  });

  it('makes it anew when it is gone', async () => {
    const { world, sent, pass } = start(({ method }) =>
      method === 'PUT' && world.lease === undefined ? refusal(404, 'NotFound') : undefined,
    );
    await pass(0);
    world.lease = undefined;
    await pass(10_000);
    expect(sent.slice(-3)).to.deep.equal(['PUT', 'GET', 'POST']);
  });

  it('goes on after the server was away', async () => {
    let isAway = true;
    const { world, pass } = start(() =>
      isAway ? new TransportError('refused', 'no', { host: 'h' }) : undefined,
    );
    await pass(200);
    isAway = false;
    await pass(400);
    expect(world.lease).not.to.equal(undefined);
    await pass(10_000);
    expect(world.recoveries).to.equal(1);
  });

  it('tries every five seconds at least while the server is away, and says when it is back', async () => {
    let isAway = false;
    const { world, sent, pass } = start(() =>
      isAway ? new TransportError('refused', 'no', { host: 'h' }) : undefined,
    );
    await pass(0);
    isAway = true;
    await pass(10_000);
    for (let index = 0; index < 10; index++) await pass(5000);
    expect(sent.length).to.be.within(12, 20);
    expect(world.recoveries).to.equal(0);
    isAway = false;
    await pass(5000);
    await pass(10_000);
    expect(world.recoveries).to.equal(1);
  });
});
