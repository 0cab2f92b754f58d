import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { type EtcdCluster, startEtcd } from '../../support/etcd-process.ts';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const path = inNamespace('default', 'configmaps');
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
const bytesPerKey = '"k000000":"",'.length;

/** A config map of about so many bytes, all of them keys: the record of its owners is larger still. */
const ofKeys = (name: string, bytes: number): JsonObject => {
  const data: Record<string, string> = {};
  for (let at = 0; at < bytes / bytesPerKey; at++) data[`k${String(at).padStart(6, '0')}`] = '';
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data };
};
const tooLargeForStore = { code: 500, message: 'etcdserver: request is too large' };
const tooLargeMessage =
  /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(2\d{6} vs\. 2097152\)$/;

describe('sizes of stored objects', () => {
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

  const drivers: Record<string, () => string[]> = {
    memory: () => ['--ephemeral'],
    sqlite: () => [`--data-dir=${directory.path}/sqlite`],
    etcd: () => [`--data-dir=${directory.path}/etcd`, `--etcd-servers=${etcd.endpoints.join()}`],
  };
  for (const [name, flags] of Object.entries(drivers)) {
    describe(`in ${name}`, () => {
      let server: TestServer;
      let admin: ApiClient;
      before(async () => {
        server = await startTestServer({ flags: flags() });
        admin = server.admin;
      });
      after(() => server.stop());

      it('an object that is too large for the record of its owners only is stored without it', async () => {
        const created = await admin.create(path, ofKeys('a', 900_000));
        expect(created.metadata.managedFields).to.equal(undefined);
        expect(Object.keys(created.data)).to.have.lengthOf(Math.ceil(900_000 / bytesPerKey));
        await admin.create(path, { ...ofKeys('b', 10) });
        const updated = await admin.expect('PUT', `${path}/b`, { body: ofKeys('b', 900_000) });
        expect(updated.metadata.managedFields).to.equal(undefined);
        await admin.create(path, { ...ofKeys('c', 10) });
        const body = { data: ofKeys('c', 900_000).data };
        const patched = await admin.expect('PATCH', `${path}/c`, { body, contentType: mergePatch });
        expect(patched.metadata.managedFields).to.equal(undefined);
        const read = await admin.get(`${path}/c`);
        expect(read.body.metadata).to.deep.equal(patched.metadata);
      });

      it('a configuration is refused then, for an object that is there and for a new one', async () => {
        await admin.create(path, ofKeys('d', 900_000));
        for (const [object, bytes] of [
          ['d', 10],
          ['new', 900_000],
        ] as const) {
          const { code, body } = await admin.send('PATCH', `${path}/${object}?fieldManager=me&force=true`, {
            body: ofKeys(object, bytes),
            contentType: applyPatch,
          });
          expect([code, body.message, body.reason], object).to.deep.equal([
            500,
            tooLargeForStore.message,
            undefined,
          ]);
        }
        expect((await admin.get(`${path}/new`)).code).to.equal(404);
      });

      it('built-in objects may have as many bytes in Protobuf, where etcd does not count the JSON', async () => {
        const isEtcd = name === 'etcd';
        // A line break is one byte, and two in JSON.
        const lines = (bytes: number): JsonObject => ({
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { name: 'lines' },
          data: { lines: '\n'.repeat(bytes) },
        });
        const stored = await admin.send('POST', path, { body: lines(1_000_000) });
        expect(stored.code, stored.text.slice(0, 200)).to.equal(isEtcd ? 500 : 201);
        if (isEtcd) return expect(stored.body.message).to.equal(tooLargeForStore.message);
        expect((await admin.get(`${path}/lines`)).body.data.lines).to.have.length(1_000_000);
        const body = { metadata: { annotations: { more: 'x' } } };
        const patched = await admin.send('PATCH', `${path}/lines`, { body, contentType: mergePatch });
        return expect(patched.code).to.equal(200);
      });

      it('an object that is too large by itself is refused in the words of the reference', async function () {
        this.timeout(300_000);
        const { body } = await admin.send('POST', path, { body: ofKeys('e', 1_600_000) });
        expect(body).to.deep.equal({
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          ...tooLargeForStore,
        });
        const larger = await admin.send('POST', path, { body: ofKeys('e', 2_200_000) });
        expect(larger.code).to.equal(500);
        expect(larger.body.message).to.match(tooLargeMessage);
        const body413 = await admin.send('POST', path, { body: ofKeys('e', 3_200_000) });
        expect([body413.code, body413.body.message]).to.deep.equal([
          413,
          'Request entity too large: limit is 3145728',
        ]);
        expect((await admin.get(`${path}/e`)).code).to.equal(404);
        const dry = await admin.send('POST', `${path}?dryRun=All`, { body: ofKeys('e', 1_600_000) });
        expect(dry.code).to.equal(201);
      });
    });
  }
});
