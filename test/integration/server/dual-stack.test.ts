import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const services = inNamespace('default', 'services');
const mergePatch = 'application/merge-patch+json';
/** Three addresses of IPv6 beside the network's own. */
const flags = ['--feature-gates=IPv6DualStack=true', '--service-cluster-ip-range=10.0.0.0/24,fd00::/126'];

const service = (name: string, spec: JsonObject = {}) => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
});

describe('services with addresses of both families', () => {
  let directory: TemporaryDirectory;
  let etcd: EtcdCluster;
  before(async () => {
    directory = await makeTemporaryDirectory();
    etcd = await startEtcd({ args: ['--unsafe-no-fsync'] });
  });
  after(async () => {
    await etcd[Symbol.asyncDispose]();
    await directory.remove();
  });

  const stores: Record<string, () => string[]> = {
    memory: () => ['--ephemeral'],
    etcd: () => [`--data-dir=${directory.path}`, `--etcd-servers=${etcd.endpoints.join()}`],
  };
  for (const [store, more] of Object.entries(stores)) {
    describe(`over ${store}`, () => {
      let server: TestServer;
      let admin: ApiClient;
      before(async () => {
        server = await startTestServer({ flags: [...flags, ...more()] });
        admin = server.admin;
      });
      after(() => server.stop());

      const create = (name: string, spec: JsonObject = {}) => admin.create(services, service(name, spec));
      const patch = (name: string, spec: JsonObject) =>
        admin.expect('PATCH', `${services}/${name}`, { body: { spec }, contentType: mergePatch });

      it('have one of the first family unless they ask for more', async () => {
        const { body } = await admin.get(`${services}/orch`);
        expect(body.spec).to.include({ ipFamilyPolicy: 'SingleStack', clusterIP: '10.0.0.1' });
        const { spec } = await create('one');
        expect(spec).to.deep.include({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] });
        expect(spec.clusterIPs).to.deep.equal([spec.clusterIP]);
      });

      it('have one of each where they ask for it, and give them back', async () => {
        const two = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] };
        const dry = await admin.create(`${services}?dryRun=All`, service('dry', two));
        expect(dry.spec).not.to.have.any.keys('clusterIP', 'clusterIPs');
        expect(dry.spec.ipFamilies).to.deep.equal(['IPv6', 'IPv4']);
        for (const name of ['a', 'b', 'c']) {
          const { spec } = await create(name, two);
          expect(spec.clusterIPs).to.have.lengthOf(2);
          expect(spec.clusterIP).to.match(/^fd00::[123]$/);
          expect(spec.clusterIPs[1]).to.match(/^10\.0\.0\.\d+$/);
        }
        const full = await admin.send('POST', services, { body: service('d', two) });
        expect([full.code, full.body.message]).to.deep.equal([
          500,
          'Internal error occurred: failed to allocate a serviceIP: range is full',
        ]);
        for (const name of ['a', 'b', 'c']) await admin.expect('DELETE', `${services}/${name}`);
        await create('d', two);
        await admin.expect('DELETE', `${services}/d`);
      });

      it('get and give up a second address', async () => {
        const { spec: before } = await create('grows');
        const { spec: grown } = await patch('grows', { ipFamilyPolicy: 'PreferDualStack' });
        expect(grown.ipFamilies).to.deep.equal(['IPv4', 'IPv6']);
        expect(grown.clusterIPs).to.deep.equal([before.clusterIP, grown.clusterIPs[1]]);
        const second = grown.clusterIPs[1];
        const named = service('named', { clusterIP: second, clusterIPs: [second] });
        const refused = await admin.send('POST', services, { body: named });
        expect(refused.body.message).to.include('provided IP is already allocated');
        const { spec: shrunk } = await patch('grows', { ipFamilyPolicy: 'SingleStack' });
        expect([shrunk.clusterIPs, shrunk.ipFamilies]).to.deep.equal([[before.clusterIP], ['IPv4']]);
        const { spec } = await create('named', { clusterIP: second, clusterIPs: [second] });
        expect(spec.ipFamilies).to.deep.equal(['IPv6']);
      });

      it('keep both while their policy asks for two', async () => {
        // Defaults add the family that a required pair lacks, before anything is compared.
        const causesOf = { RequireDualStack: ['clusterIP'], PreferDualStack: ['clusterIP', 'ipFamily'] };
        for (const [ipFamilyPolicy, given] of Object.entries(causesOf)) {
          const { spec } = await create('keeps', { ipFamilyPolicy });
          const path = `${services}/keeps`;
          const { body } = await admin.get(path);
          const cut = { ...spec, clusterIPs: spec.clusterIPs.slice(0, 1), ipFamilies: ['IPv4'] };
          const refused = await admin.send('PUT', path, { body: { ...body, spec: cut } });
          const told = refused.body.details.causes.map(({ message }: JsonObject) =>
            message.split(' ').at(-1),
          );
          expect(told).to.deep.equal(given);
          await admin.expect('DELETE', path);
        }
      });

      it('give up all of it when they become names outside, and get it anew', async () => {
        const { spec: before } = await create('named-outside', { ipFamilyPolicy: 'PreferDualStack' });
        const outside = { ...before, type: 'ExternalName', clusterIP: '', externalName: 'a.example.com' };
        const path = `${services}/named-outside`;
        const put = async (spec: JsonObject) => {
          const { body } = await admin.get(path);
          return (await admin.expect('PUT', path, { body: { ...body, spec } })).spec;
        };
        expect(await put(outside)).not.to.have.any.keys(
          ...['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'],
        );
        const address = { clusterIP: before.clusterIP, clusterIPs: [before.clusterIP] };
        await create('takes-it', address);
        const inside = await put(service('x').spec);
        expect(inside).to.deep.include({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] });
        for (const name of ['takes-it', 'named-outside']) await admin.expect('DELETE', `${services}/${name}`);
      });

      it('have no address of a family that the cluster does not have', async () => {
        const outside = service('outside', { clusterIP: 'fd01::1', clusterIPs: ['fd01::1'] });
        const { body } = await admin.send('POST', services, { body: outside });
        expect(body.message).to.include('The range of valid IPs is fd00::/126');
      });

      it('have families without an address where they are headless', async () => {
        const { spec } = await create('headless', { clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack' });
        expect([spec.clusterIPs, spec.ipFamilies]).to.deep.equal([['None'], ['IPv4', 'IPv6']]);
      });
    });
  }

  it('hold their addresses over a restart', async () => {
    const path = `${directory.path}/sqlite`;
    const start = () => startTestServer({ flags: [...flags, `--data-dir=${path}`] });
    const first = await start();
    const two = { ipFamilyPolicy: 'RequireDualStack' };
    for (const name of ['a', 'b']) await first.admin.create(services, service(name, two));
    await first.stop();
    const second = await start();
    try {
      const { spec } = await second.admin.create(services, service('c', two));
      const { body } = await second.admin.get(services);
      const addresses = body.items.flatMap(({ spec: { clusterIPs } }: JsonObject) => clusterIPs);
      expect(new Set(addresses).size).to.equal(7);
      expect(spec.clusterIPs).to.have.lengthOf(2);
      const full = await second.admin.send('POST', services, { body: service('d', two) });
      expect(full.code).to.equal(500);
    } finally {
      await second.stop();
    }
  });
});
