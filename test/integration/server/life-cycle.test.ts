import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace, service } from '../../support/objects.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const services = inNamespace('default', 'services');

describe('the life of a server', () => {
  let directory: TemporaryDirectory;
  const running = new Set<TestServer>();
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    for (const server of running) await server.stop();
    running.clear();
    await directory.remove();
  });

  const start = async (...flags: string[]): Promise<TestServer> => {
    const server = await startTestServer({ flags });
    running.add(server);
    return server;
  };
  const startWithData = (...flags: string[]) => start(`--data-dir=${directory.path}`, ...flags);
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'it started',
      (error: unknown) => String(error),
    );

  it('owns of its own objects what it gave them, in the names of its parts', async () => {
    const { admin } = await start();
    const ownersOf = async (path: string) => (await admin.expect('GET', path)).metadata.managedFields;
    const fields = async (path: string): Promise<string[]> => {
      const [{ fieldsV1 }] = await ownersOf(path);
      return Object.keys(fieldsV1['f:spec'] ?? fieldsV1);
    };
    expect(await fields('/api/v1/namespaces/default')).to.deep.equal(['f:status']);
    const service = await fields('/api/v1/namespaces/default/services/orch');
    expect(service).to.include.members(['f:clusterIP', 'f:ipFamilyPolicy']);
    expect(service).not.to.include('f:clusterIPs');
    const level = '/apis/flowcontrol.apiserver.orch.io/v1beta1/prioritylevelconfigurations/exempt';
    const [{ manager }] = await ownersOf(level);
    expect(manager).to.equal('api-priority-and-fairness-config-producer-v1');
  });

  it('begins ready: its namespaces, its own service and its roles are there', async () => {
    const { admin } = await start();
    expect((await admin.get('/readyz')).text).to.equal('ok');
    const names = async (path: string): Promise<string[]> =>
      (await admin.expect('GET', path)).items.map(
        (item: { metadata: { name: string } }) => item.metadata.name,
      );
    expect(await names('/api/v1/namespaces')).to.include.members([
      'default',
      'orch-node-lease',
      'orch-public',
      'orch-system',
    ]);
    expect(await names(services)).to.deep.equal(['orch']);
    const roles = await names('/apis/rbac.authorization.orch.io/v1/clusterroles');
    expect(roles).to.include.members(['cluster-admin', 'admin', 'edit', 'view', 'system:discovery']);
  });

  it('begins ready where it advertises an address that no other machine can reach', async () => {
    const { admin } = await start('--advertise-address=127.0.0.1');
    expect((await admin.get('/readyz')).text).to.equal('ok');
    expect((await admin.get(inNamespace('default', 'endpoints'))).body.items).to.deep.equal([]);
    expect((await admin.get(services)).body.items).to.have.length(1);
  });

  it('leaves no store open when its keys cannot be read', async () => {
    const absent = `${directory.path}/absent.pem`;
    const keys = [`--tls-cert-file=${absent}`, `--tls-private-key-file=${absent}`];
    expect(await refusal(startWithData(...keys))).to.include('absent.pem');
    const { admin } = await startWithData();
    expect((await admin.get('/readyz')).text).to.equal('ok');
  });

  it('keeps objects, versions and service addresses over a restart', async () => {
    const first = await startWithData();
    const map = await first.admin.create(maps, configMap('kept', { a: '1' }));
    const before = await first.admin.create(services, service('kept', { type: 'NodePort' }));
    await first.stop();
    const { admin } = await startWithData();
    expect((await admin.get(`${maps}/kept`)).body).to.deep.equal(map);
    expect((await admin.get(`${services}/kept`)).body).to.deep.equal(before);
    const taken = await admin.send('POST', services, {
      body: service('thief', { clusterIP: before.spec.clusterIP }),
    });
    expect(taken.code).to.equal(422);
    expect(taken.body.message).to.match(/provided IP is already allocated/);
    const { nodePort } = before.spec.ports[0];
    const port = await admin.send('POST', services, {
      body: service('port-thief', { type: 'NodePort', ports: [{ port: 80, nodePort }] }),
    });
    expect(port.code).to.equal(422);
    expect(port.body.message).to.match(/provided port is already allocated/);
  });

  it('writes none of its flow schemas anew at its second start', async () => {
    const flowSchemas = '/apis/flowcontrol.apiserver.orch.io/v1beta1/flowschemas';
    const first = await startWithData('--controllers=*');
    // The last ones to be written: their conditions come behind the start.
    const settled = await eventually(async () => {
      const { items } = await first.admin.expect('GET', flowSchemas);
      return items.every(({ status }: JsonObject) => status.conditions?.length === 1) ? items : undefined;
    });
    await first.stop();
    const second = await startWithData('--controllers=*');
    // What comes later is looked at later: by then nothing more was written of those that were there.
    const [known] = settled;
    const late = { ...known, metadata: { name: 'late' }, status: undefined };
    late.spec = { ...known.spec, matchingPrecedence: 5000 };
    await second.admin.create(flowSchemas, late);
    const { items } = await eventually(async () => {
      const body = await second.admin.expect('GET', flowSchemas);
      const made = body.items.find(({ metadata }: JsonObject) => metadata.name === 'late');
      return made.status.conditions === undefined ? undefined : body;
    });
    const others = items.filter(({ metadata }: JsonObject) => metadata.name !== 'late');
    expect(others).to.deep.equal(settled);
  });

  it("keeps its certificate and the administrator's over a restart", async () => {
    const first = await startWithData();
    const { authorityPem, adminCertificatePem } = first.server;
    await first.stop();
    const second = await startWithData();
    expect(second.server.authorityPem).to.equal(authorityPem);
    expect(second.server.adminCertificatePem).to.equal(adminCertificatePem);
  });

  it('frees the address of a service that is deleted', async () => {
    const { admin } = await start();
    const { spec } = await admin.create(services, service('first'));
    await admin.expect('DELETE', `${services}/first`);
    const again = await admin.create(services, service('second', { clusterIP: spec.clusterIP }));
    expect(again.spec.clusterIP).to.equal(spec.clusterIP);
  });

  it('gives no address or port twice, however many ask at once, and says when there are none left', async () => {
    const { admin } = await start(
      '--service-cluster-ip-range=10.9.0.0/26',
      '--service-node-port-range=30000-30049',
    );
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        admin.send('POST', services, { body: service(`s-${n}`, n % 2 === 0 ? { type: 'NodePort' } : {}) }),
      ),
    );
    const made = answers.filter(({ code }) => code === 201).map(({ body }) => body.spec);
    // 62 usable addresses, one of which is the server's own.
    expect(made).to.have.lengthOf(61);
    expect(new Set(made.map(({ clusterIP }) => clusterIP))).to.have.lengthOf(61);
    const ports = made.flatMap((spec) =>
      spec.ports.map(({ nodePort }: { nodePort?: number }) => nodePort ?? []),
    );
    expect(new Set(ports.flat())).to.have.lengthOf(ports.flat().length);
    for (const { code, body } of answers.filter(({ code }) => code !== 201)) {
      expect(code).to.equal(500);
      expect(body.message).to.match(/failed to allocate a serviceIP: range is full/);
    }
  });

  it('refuses a data directory that another server holds', async () => {
    await startWithData();
    expect(await refusal(startTestServer({ flags: [`--data-dir=${directory.path}`] }))).to.match(
      /is in use by another process/,
    );
  });

  it('refuses a data directory of the other dialect', async () => {
    const first = await startWithData();
    await first.stop();
    expect(
      await refusal(startTestServer({ flags: [`--data-dir=${directory.path}`, '--dialect=kubernetes'] })),
    ).to.match(/was made with dialect "orch": it cannot be opened with "kubernetes"/);
  });

  it('ends watches in order when it stops', async () => {
    const { admin, stop } = await start();
    const watch = await admin.watch(maps);
    await admin.create(maps, configMap('last'));
    await watch.take(1);
    await stop();
    expect(await watch.ended).to.equal('end');
    expect(watch.lines).to.deep.equal(['ADDED last']);
  });

  it('answers the requests that it has begun before it is gone', async () => {
    const { admin, stop } = await startWithData();
    const writes = Array.from({ length: 40 }, (_, n) =>
      admin.send('POST', maps, { body: configMap(`m-${n}`) }).then(
        ({ code }) => code,
        () => 'refused' as const,
      ),
    );
    await Promise.race(writes);
    await stop();
    const codes = await Promise.all(writes);
    const { admin: again } = await startWithData();
    const stored = new Set(
      (await again.get(maps)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    );
    codes.forEach((code, n) => {
      if (code === 201) expect(stored.has(`m-${n}`), `m-${n} was acknowledged`).to.equal(true);
      else expect(['refused', 503]).to.include(code);
    });
    expect(codes).to.include(201);
  });

  it('is not ready, but serves, for the delay of its shutdown', async () => {
    // Nobody waits for the end of this delay: the process is killed in it.
    await using server = await startServerProcess(['--shutdown-delay-duration=1h', '--controllers=none']);
    const { admin } = server;
    const stopped = server.stop();
    const { code, text } = await eventually(async () => {
      const answer = await admin.get('/readyz');
      return answer.code === 200 ? undefined : answer;
    });
    expect(code).to.equal(500);
    expect(text).to.include('[-]shutdown failed');
    expect((await admin.get('/livez')).code).to.equal(200);
    await admin.create(maps, configMap('late'));
    await server.kill();
    await stopped;
  });

  it('stops after the delay of its shutdown', async () => {
    const { stop } = await start('--shutdown-delay-duration=200ms');
    const startMs = performance.now();
    await stop();
    // Timers are rounded to milliseconds.
    expect(performance.now() - startMs).to.be.at.least(199);
  });

  it('refuses flags that make no sense, all of them at once', async () => {
    const text = await refusal(startTestServer({ flags: ['--secure-port=99999', '--no-such-flag'] }));
    expect(text).to.match(/secure-port/);
    expect(text).to.match(/no-such-flag/);
  });
});
