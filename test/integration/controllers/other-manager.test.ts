import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/rest/index.ts';
import { workWhileAlone } from '../../../src/controllers/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const systemNamespace = 'orch-system';
const name = 'orch-controller-manager';
const leases = `/apis/coordination.orch.io/v1/namespaces/${systemNamespace}/leases`;
const annotation = 'control-plane.alpha.orch.io/leader';
const mergePatch = 'application/merge-patch+json';

const lease = (holderIdentity: string, leaseDurationSeconds = 15, leaseTransitions = 0) => ({
  kind: 'Lease',
  apiVersion: 'coordination.orch.io/v1',
  metadata: { name },
  spec: { holderIdentity, leaseDurationSeconds, leaseTransitions },
});
const marked = (kind: string, text: string) => ({
  kind,
  apiVersion: 'v1',
  metadata: { name, annotations: { [annotation]: text } },
});
/** Remembers the times that it was asked for. */
class NotingClock extends ManualClock {
  readonly delays: number[] = [];

  override setTimer(delayMs: number, callback: () => void): () => void {
    this.delays.push(delayMs);
    return super.setTimer(delayMs, callback);
  }
}

const record = (holderIdentity: string, leaderTransitions = 0) =>
  JSON.stringify({ holderIdentity, leaseDurationSeconds: 15, leaderTransitions });

describe('workWhileAlone', () => {
  let server: TestServer;
  let admin: ApiClient;
  let client: RestClient;
  let clock: NotingClock;
  let log: string[];
  let ending: AbortController;
  let done: Promise<void>;
  beforeEach(async () => {
    server = await startTestServer();
    admin = server.admin;
    const { url, authorityPem } = server.server;
    client = createRestClient({
      connection: { server: url, tls: { ca: authorityPem }, auth: { token: tokens.admin } },
    });
    clock = new NotingClock();
    log = [];
    ending = new AbortController();
  });
  afterEach(async () => {
    ending.abort();
    await done;
    client.close();
    await server.stop();
  });

  const begin = (): void => {
    done = workWhileAlone({
      client,
      dialect: createDialect('orch'),
      clock,
      logger: silentLogger,
      random: () => 0,
      signal: ending.signal,
      work: (signal) =>
        new Promise((resolve) => {
          log.push('works');
          signal.addEventListener('abort', () => {
            log.push('rests');
            resolve();
          });
        }),
    });
  };
  const change = (body: object) =>
    admin.expect('PATCH', `${leases}/${name}`, { body, contentType: mergePatch });
  const reaches = (...lines: string[]) =>
    eventually(async () => (log.join() === lines.join() ? true : undefined));

  it('works where nobody else does, and ends its work at the end', async () => {
    begin();
    await reaches('works');
    ending.abort();
    await done;
    expect(log).to.deep.equal(['works', 'rests']);
  });

  it('rests while a lease is renewed, and goes on when it has expired', async () => {
    begin();
    await reaches('works');
    await admin.create(leases, lease('other'));
    await reaches('works', 'rests');
    clock.advance(14_000);
    await change(lease('other', 15, 1));
    // It looks again when the renewed lease expires.
    await eventually(async () =>
      clock.delays.filter((ms) => ms === 15_000).length === 2 ? true : undefined,
    );
    clock.advance(14_999);
    await admin.get(leases);
    expect(log).to.deep.equal(['works', 'rests']);
    clock.advance(1);
    await reaches('works', 'rests', 'works');
  });

  it('does not take another change of the object for a renewal', async () => {
    begin();
    await admin.create(leases, lease('other'));
    await eventually(async () => (clock.delays.includes(15_000) ? true : undefined));
    clock.advance(14_000);
    await change({ metadata: { labels: { a: 'b' } } });
    await eventually(async () => {
      clock.advance(1000);
      return log.at(-1) === 'works' ? true : undefined;
    });
    expect(clock.delays.filter((ms) => ms === 15_000)).to.have.lengthOf(1);
  });

  it('does not begin where a lease was there before, until it is given up', async () => {
    await admin.create(leases, lease('other'));
    begin();
    await eventually(async () => (clock.delays.includes(15_000) ? true : undefined));
    expect(log).to.deep.equal([]);
    await change(lease('', 1));
    await reaches('works');
  });

  const endpoints = inNamespace(systemNamespace, 'endpoints');
  const configMaps = inNamespace(systemNamespace, 'configmaps');
  const forms: [form: string, path: string, object: (text: string) => JsonObject][] = [
    ['endpoints', endpoints, (text) => marked('Endpoints', text)],
    ['a config map', configMaps, (text) => marked('ConfigMap', text)],
  ];
  for (const [form, path, object] of forms) {
    it(`rests also for a record in an annotation of ${form}`, async () => {
      begin();
      await reaches('works');
      await admin.create(path, object('{"holderIdentity":'));
      await admin.expect('PATCH', `${path}/${name}`, {
        body: object(record('other')),
        contentType: mergePatch,
      });
      await reaches('works', 'rests');
      await admin.expect('DELETE', `${path}/${name}`);
      await reaches('works', 'rests', 'works');
    });
  }
});

describe('controllers of the server beside another controller manager', () => {
  it('leave its work to it, and take it up again when its lease expires', async () => {
    const logger = createRecordingLogger();
    const server = await startTestServer({ flags: ['--controllers=*'], logger });
    const { admin } = server;
    const said = (text: string) =>
      eventually(async () => (logger.lines.some(({ message }) => message.includes(text)) ? true : undefined));
    try {
      await admin.create(leases, lease('other', 1));
      await said('controllers rest');
      await admin.create('/api/v1/namespaces', {
        kind: 'Namespace',
        apiVersion: 'v1',
        metadata: { name: 'n' },
      });
      await admin.expect('DELETE', '/api/v1/namespaces/n');
      await eventually(async () =>
        (await admin.get('/api/v1/namespaces/n')).code === 404 ? true : undefined,
      );
      expect(logger.lines.some(({ message }) => message.includes('controllers go on'))).to.equal(true);
    } finally {
      await server.stop();
    }
  });
});
