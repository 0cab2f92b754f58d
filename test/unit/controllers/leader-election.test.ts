import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import { createRestClient, type Transport } from '../../../src/client/rest/index.ts';
import { electLeader } from '../../../src/controllers/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { ManualClock } from '../storage/manual-clock.ts';

interface StoredLease {
  metadata: { resourceVersion: string };
  spec: { holderIdentity: string; leaseTransitions: number; renewTime: string };
}

/** One Lease as a server keeps it; requests can be made to fail or to hang. */
class LeaseServer {
  lease: StoredLease | undefined;
  mode: 'answers' | 'fails' | 'hangs' = 'answers';
  #version = 0;

  readonly transport: Transport = async ({ method, body, signal }) => {
    if (this.mode === 'hangs') {
      await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    }
    if (this.mode === 'fails') return answer(500, { kind: 'Status', reason: 'InternalError', code: 500 });
    if (method === 'GET') {
      return this.lease === undefined
        ? answer(404, { kind: 'Status', reason: 'NotFound', code: 404 })
        : answer(200, this.lease);
    }
    const given = JSON.parse(String(body)) as StoredLease; // the election sends leases only
    const isLate =
      method === 'POST'
        ? this.lease !== undefined
        : given.metadata.resourceVersion !== this.lease?.metadata.resourceVersion;
    if (isLate) return answer(409, { kind: 'Status', reason: 'Conflict', code: 409 });
    this.lease = { ...given, metadata: { ...given.metadata, resourceVersion: String(++this.#version) } };
    return answer(200, this.lease);
  };
}

function answer(status: number, body: object): Awaited<ReturnType<Transport>> {
  async function* chunks() {
    yield Buffer.from(JSON.stringify(body));
  }
  return { status, statusText: '', headers: {}, chunks: chunks(), close() {} };
}

const turn = async () => {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate);
};

describe('electLeader', () => {
  let clock: ManualClock;
  let server: LeaseServer;
  let open: AbortController[];
  beforeEach(() => {
    clock = new ManualClock();
    server = new LeaseServer();
    open = [];
  });
  afterEach(async () => {
    for (const ending of open) ending.abort();
    await turn();
  });

  const join = (identity: string) => {
    const ending = new AbortController();
    open.push(ending);
    const log: string[] = [];
    const done = electLeader({
      client: createRestClient({
        connection: { server: 'http://localhost', tls: {}, auth: {} },
        transport: server.transport,
        clock,
      }),
      dialect: orchDialect,
      name: 'orch-controllers',
      identity,
      leaseDurationMs: 15_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 2000,
      clock,
      random: () => 0,
      logger: silentLogger,
      signal: ending.signal,
      lead: (signal) =>
        new Promise((resolve) => {
          log.push('starts');
          signal.addEventListener('abort', () => {
            log.push('ends');
            resolve();
          });
        }),
    });
    return { log, ending, done };
  };
  /** Lets time pass in small steps, so that answers come in between. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      await turn();
    }
  };

  it('lets one lead, and renews its lease', async () => {
    const one = join('one');
    await turn();
    const two = join('two');
    await pass(60_000);
    expect([one.log, two.log]).to.deep.equal([['starts'], []]);
    expect(server.lease?.spec).to.include({ holderIdentity: 'one', leaseTransitions: 0 });
    expect(Date.parse(server.lease?.spec.renewTime ?? '')).to.be.at.least(58_000);
  });

  it('lets one lead when both try at the same time', async () => {
    const both = [join('one'), join('two')];
    await pass(10_000);
    expect(both.flatMap(({ log }) => log)).to.deep.equal(['starts']);
  });

  it('hands over at once when the leader ends well', async () => {
    const one = join('one');
    await turn();
    const two = join('two');
    await pass(5000);
    one.ending.abort();
    await one.done;
    expect(one.log).to.deep.equal(['starts', 'ends']);
    expect(server.lease?.spec.holderIdentity).to.equal('');
    await pass(2000);
    expect(two.log).to.deep.equal(['starts']);
    expect(server.lease?.spec).to.include({ holderIdentity: 'two', leaseTransitions: 1 });
  });

  it('waits for the lease to end when the leader gives no sign of life', async () => {
    server.lease = {
      metadata: { resourceVersion: '0' },
      spec: { holderIdentity: 'dead', leaseTransitions: 3, renewTime: '2050-01-01T00:00:00.000000Z' },
    };
    const two = join('two');
    await pass(14_000);
    expect(two.log).to.deep.equal([]);
    await pass(3000);
    expect(two.log).to.deep.equal(['starts']);
    expect(server.lease?.spec).to.include({ holderIdentity: 'two', leaseTransitions: 4 });
  });

  for (const mode of ['fails', 'hangs'] as const) {
    it(`stops before others begin when its server ${mode}, and leads again later`, async () => {
      const one = join('one');
      await turn();
      await pass(3000);
      server.mode = mode;
      // The last renewal was sent at 2 s.
      await pass(8500);
      expect(one.log).to.deep.equal(['starts']);
      await pass(1000);
      expect(one.log).to.deep.equal(['starts', 'ends']);
      server.mode = 'answers';
      await pass(14_000);
      expect(one.log).to.deep.equal(['starts', 'ends', 'starts']);
    });
  }

  it('stops at once when somebody else holds the lease', async () => {
    const one = join('one');
    await turn();
    const { lease } = server;
    if (lease === undefined) throw new Error('there is no lease');
    server.lease = {
      metadata: { resourceVersion: '99' },
      spec: { ...lease.spec, holderIdentity: 'usurper' },
    };
    await pass(2500);
    expect(one.log).to.deep.equal(['starts', 'ends']);
    expect(server.lease?.spec.holderIdentity).to.equal('usurper');
  });
});
