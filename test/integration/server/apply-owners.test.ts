import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { applyAs, ownersOf, patchTypes } from '../../support/applier.ts';
import { configMap, deployment, inNamespace, pod } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const pods = inNamespace('default', 'pods');
const at = (name: string): string => `${maps}/${name}`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** A certificate request of a user, in DER. */
const certificateRequest =
  'MIHZMIGBAgEAMB8xDTALBgNVBAoMBGRldnMxDjAMBgNVBAMMBWFsaWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQg' +
  'AExGG+MyOuN9g8o81NUlLEaYKZcZkOKowv3RzuJ51M3J+/N8M/sr0VhjyzTYIiaW67fUlRPrlyvjnXZwcfOqIUaqAA' +
  'MAoGCCqGSM49BAMCA0cAMEQCIDU9UigSr3PTH/bm/fKtYd15KQj3ePfGuWdl5j5U2eFQAiA/lsFhB97ZMYctWlWH89' +
  'NwbUI1fXaS7m/6n59qOmHM/A==';

describe('the record of owners', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({
      flags: [`--data-dir=${directory.path}`, '--feature-gates=EphemeralContainers=true'],
    });
    admin = server.admin;
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  /** Writes under a manager's name, which comes as the user agent. */
  const write = (
    manager: string,
    method: string,
    path: string,
    body: unknown,
    type?: keyof typeof patchTypes,
  ): Promise<JsonObject> => {
    const headers = { 'user-agent': `${manager}/1.0 (test)` };
    return admin.expect(method, path, { body, headers, contentType: type && patchTypes[type] });
  };
  const recordOf = async (path: string): Promise<string[]> => ownersOf(await admin.expect('GET', path));
  const managersOf = async (path: string): Promise<string[]> =>
    (await recordOf(path)).map((entry) => entry.split(':')[0] ?? '');

  describe('of each way to write', () => {
    before(async () => {
      await write('creator', 'POST', maps, configMap('ways', { k: '1' }));
    });

    it('names who created', async () => {
      expect(await recordOf(at('ways'))).to.deep.equal(['creator Update v1: data. data.k']);
    });

    const ways: [way: string, method: string, type: keyof typeof patchTypes | undefined, body: unknown][] = [
      ['updated', 'PUT', undefined, configMap('ways', { k: '1', updated: '1' })],
      ['json', 'PATCH', 'json', [{ op: 'add', path: '/data/json', value: '1' }]],
      ['merge', 'PATCH', 'merge', { data: { merge: '1' } }],
      ['strategic', 'PATCH', 'strategic', { data: { strategic: '1' } }],
    ];
    for (const [way, method, type, body] of ways) {
      it(`names who changed: ${way}`, async () => {
        const object = await write(`by-${way}`, method, at('ways'), body, type);
        expect(ownersOf(object)).to.include(`by-${way} Update v1: data.${way}`);
        expect(await recordOf(at('ways'))).to.deep.equal(ownersOf(object));
      });
    }

    it('names nobody for a change of nothing', async () => {
      const before = await admin.expect('GET', at('ways'));
      expect(await write('idle', 'PATCH', at('ways'), { data: { k: '1' } }, 'merge')).to.deep.equal(before);
    });

    it('prefers the name in the query to the user agent', async () => {
      const object = await write(
        'agent',
        'PATCH',
        `${at('ways')}?fieldManager=asked`,
        { data: { q: '1' } },
        'merge',
      );
      expect(ownersOf(object)).to.include('asked Update v1: data.q');
    });

    it('takes names beyond ASCII, from the user agent and from the query', async () => {
      const inAgent = Buffer.from('prüfer').toString('latin1');
      const first = await write(inAgent, 'PATCH', at('ways'), { data: { r: '1' } }, 'merge');
      expect(ownersOf(first)).to.include('prüfer Update v1: data.r');
      const path = `${at('ways')}?fieldManager=${encodeURIComponent('日本')}`;
      const second = await write('x', 'PATCH', path, { data: { s: '1' } }, 'merge');
      expect(ownersOf(second)).to.include('日本 Update v1: data.s');
    });

    it('calls those without a name unknown', async () => {
      const object = await admin.create(maps, configMap('nameless', { k: '1' }));
      expect(ownersOf(object)).to.deep.equal(['unknown Update v1: data. data.k']);
    });

    it('takes removed fields from their owners', async () => {
      await write('a', 'POST', maps, configMap('removed', { k: '1', l: '1' }));
      const object = await write('b', 'PATCH', at('removed'), { data: { k: null } }, 'merge');
      expect(ownersOf(object)).to.deep.equal(['a Update v1: data. data.l']);
    });
  });

  describe('of subresources', () => {
    it('counts a status', async () => {
      await write('maker', 'POST', deployments, deployment('app', { replicas: 1 }));
      const path = `${deployments}/app/status`;
      const patched = await write('watcher', 'PATCH', path, { status: { replicas: 1 } }, 'merge');
      expect(ownersOf(patched)).to.include('watcher Update apps/v1: status.replicas');
      const status = { replicas: 1, observedGeneration: 1 };
      const applied = await applyAs(admin, 'ctrl', path, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'app' },
        status,
      });
      expect(applied.code, applied.text).to.equal(200);
      expect(applied.body.status).to.deep.equal(status);
      expect((await managersOf(`${deployments}/app`)).sort()).to.deep.equal([
        'ctrl Apply apps/v1',
        'maker Update apps/v1',
        'watcher Update apps/v1',
      ]);
    });

    it('does not count a scale', async () => {
      await write('maker', 'POST', deployments, deployment('scaled', { replicas: 1 }));
      const before = await recordOf(`${deployments}/scaled`);
      const path = `${deployments}/scaled/scale`;
      await write('scaler', 'PATCH', path, { spec: { replicas: 3 } }, 'merge');
      const { spec, metadata } = await admin.expect('GET', `${deployments}/scaled`);
      expect(spec.replicas).to.equal(3);
      expect(metadata.managedFields).to.not.equal(undefined);
      expect(await recordOf(`${deployments}/scaled`)).to.deep.equal(before);
    });

    it('does not count what is not sent as a pod', async () => {
      await write('maker', 'POST', pods, pod('bound'));
      const before = await recordOf(`${pods}/bound`);
      const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } };
      await write('scheduler', 'POST', `${pods}/bound/binding`, binding);
      const containers = {
        apiVersion: 'v1',
        kind: 'EphemeralContainers',
        metadata: { name: 'bound' },
        ephemeralContainers: [{ name: 'debug', image: 'example/debug:1' }],
      };
      await write('debugger', 'PUT', `${pods}/bound/ephemeralcontainers`, containers);
      expect(await recordOf(`${pods}/bound`)).to.deep.equal(before);
      const { spec } = await admin.expect('GET', `${pods}/bound`);
      expect(spec.nodeName).to.equal('n');
      expect(spec.ephemeralContainers[0].name).to.equal('debug');
    });

    it('counts the end of a namespace', async () => {
      await write('maker', 'POST', '/api/v1/namespaces', { metadata: { name: 'ending' } });
      const body = { metadata: { name: 'ending' }, spec: { finalizers: ['example.com/x', 'orch'] } };
      await write('finalizer', 'PUT', '/api/v1/namespaces/ending/finalize', body);
      expect(await recordOf('/api/v1/namespaces/ending')).to.deep.equal([
        'finalizer Update v1: spec.finalizers',
        'maker Update v1: status.phase',
      ]);
    });

    it('counts the approval of a certificate request', async () => {
      const requests = '/apis/certificates.orch.io/v1/certificatesigningrequests';
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${certificateRequest}\n-----END CERTIFICATE REQUEST-----\n`;
      const made = await write('maker', 'POST', requests, {
        metadata: { name: 'wanted' },
        spec: {
          request: Buffer.from(pem).toString('base64'),
          signerName: 'example.com/signer',
          usages: ['client auth'],
        },
      });
      const status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Known' }] };
      await write('approver', 'PUT', `${requests}/wanted/approval`, { ...made, status });
      const [approver = '', maker] = await recordOf(`${requests}/wanted`);
      expect(approver).to.match(/^approver Update certificates\.orch\.io\/v1: status\.conditions\. /);
      expect(approver).to.include('status.conditions[{"type":"Approved"}].reason');
      expect(maker).to.equal(
        'maker Update certificates.orch.io/v1: spec.request spec.signerName spec.usages',
      );
    });

    it('is gone with an evicted pod', async () => {
      await write('maker', 'POST', pods, pod('evicted'));
      await write('evictor', 'POST', `${pods}/evicted/eviction`, { metadata: { name: 'evicted' } });
      expect((await admin.get(`${pods}/evicted`)).code).to.equal(404);
    });

    it('is no reason for a new generation', async () => {
      const app = deployment('counted', { replicas: 1 });
      await applyAs(admin, 'a', `${deployments}/counted`, app);
      const shared = await applyAs(admin, 'b', `${deployments}/counted`, app);
      expect(ownersOf(shared.body)).to.have.lengthOf(2);
      expect(shared.body.metadata.generation).to.equal(1);
      const { metadata } = await admin.expect('GET', `${deployments}/counted`);
      expect(metadata.resourceVersion).to.equal(shared.body.metadata.resourceVersion);
    });

    it('has keys for the items of lists', async () => {
      await write('maker', 'POST', pods, pod('listed'));
      const status = { podIPs: [{ ip: '10.1.2.3' }], conditions: [{ type: 'Ready', status: 'True' }] };
      const object = await write('agent', 'PATCH', `${pods}/listed/status`, { status }, 'strategic');
      const [agent = ''] = ownersOf(object);
      expect(agent).to.include('status.conditions[{"type":"Ready"}].status');
      expect(agent).to.include('status.podIPs[{"ip":"10.1.2.3"}].ip');
    });
  });

  describe('when clients write it', () => {
    const strips: [
      how: string,
      type: keyof typeof patchTypes | undefined,
      body: (object: JsonObject) => unknown,
    ][] = [
      ['a merge patch', 'merge', () => ({ metadata: { managedFields: [{}] } })],
      ['a strategic patch', 'strategic', () => ({ metadata: { managedFields: [{}] } })],
      ['a JSON patch', 'json', () => [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]],
      [
        'an update',
        undefined,
        (object) => ({ ...object, metadata: { ...object.metadata, managedFields: [{}] } }),
      ],
      [
        'an empty list',
        undefined,
        (object) => ({ ...object, metadata: { ...object.metadata, managedFields: [] } }),
      ],
    ];
    strips.forEach(([how, type, body], index) => {
      it(`is cleared by ${how}, and stays so`, async () => {
        const path = at(`cleared-${index}`);
        const made = await write('maker', 'POST', maps, configMap(`cleared-${index}`, { k: '1' }));
        const cleared = await write('x', type ? 'PATCH' : 'PUT', path, body(made), type);
        expect(cleared.metadata).to.not.have.property('managedFields');
        expect(cleared.data).to.deep.equal({ k: '1' });
        const changed = await write('x', 'PATCH', path, { data: { k: '2' } }, 'merge');
        expect(changed.metadata).to.not.have.property('managedFields');
      });
    });

    it('begins anew with the next configuration', async () => {
      const made = await write('maker', 'POST', maps, configMap('anew', { k: '1' }));
      const body = { ...made, metadata: { ...made.metadata, managedFields: [{}] } };
      await write('x', 'PUT', at('anew'), body);
      const { body: applied } = await applyAs(admin, 'm', at('anew'), configMap('anew', { k: '1' }));
      expect(ownersOf(applied)).to.deep.equal([
        'm Apply v1: data.k',
        'before-first-apply Update v1: data. data.k',
      ]);
      const refused = await applyAs(admin, 'm', at('anew'), configMap('anew', { k: '2' }));
      expect(refused.code).to.equal(409);
      expect(refused.body.message).to.include('conflict with "before-first-apply" using v1: .data.k');
    });

    it('is kept when an update leaves it out, or sends what cannot be read', async () => {
      await write('maker', 'POST', maps, configMap('kept', { k: '1' }));
      const entry = { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
      const deep = JSON.parse(`${'{"f:a":'.repeat(900)}{}${'}'.repeat(900)}`);
      const records: unknown[] = [
        undefined,
        null,
        [{ ...entry, fieldsV1: { nonsense: {} } }],
        [{ ...entry, fieldsV1: { 'k:{': {} } }],
        [{ ...entry, fieldsV1: 'text' }],
        [{ ...entry, fieldsV1: { 'f:data': 7 } }],
        [{ ...entry, fieldsV1: deep }],
      ];
      for (const managedFields of records) {
        const object = await write('u', 'PUT', at('kept'), configMap('kept', { k: '1' }, { managedFields }));
        expect(ownersOf(object), JSON.stringify(managedFields)).to.deep.equal([
          'maker Update v1: data. data.k',
        ]);
      }
    });

    it('takes what is sent, without those of versions that are gone', async () => {
      await write('maker', 'POST', maps, configMap('edited', { k: '1', l: '1' }));
      const entry = { operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' };
      const managedFields = [
        { ...entry, manager: 'given', fieldsV1: { 'f:data': { 'f:k': {} } } },
        { ...entry, manager: 'gone', apiVersion: 'v9', fieldsV1: { 'f:data': { 'f:l': {} } } },
      ];
      const body = configMap('edited', { k: '1', l: '2' }, { managedFields });
      expect(ownersOf(await write('u', 'PUT', at('edited'), body))).to.deep.equal([
        'given Apply v1: data.k',
        'u Update v1: data.l',
      ]);
    });

    it('is refused when an operation is none', async () => {
      await write('maker', 'POST', maps, configMap('wrong', { k: '1' }));
      const fieldsV1 = { 'f:data': { 'f:k': {} } };
      const managedFields = [
        { manager: 'x', operation: 'Steal', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
      ];
      const answer = await admin.send('PUT', at('wrong'), {
        body: configMap('wrong', { k: '1' }, { managedFields }),
      });
      expect(answer.code).to.equal(422);
      expect(answer.body.message).to.match(/managedFields\.operation: Invalid value: "Steal"/);
    });
  });

  it('keeps ten updaters apart, and puts the oldest together', async () => {
    await write('w00', 'POST', maps, configMap('many', { k00: '1' }));
    const names = Array.from({ length: 12 }, (_, index) => `w${String(index + 1).padStart(2, '0')}`);
    for (const name of names) {
      await write(name, 'PATCH', at('many'), { data: { [name]: '1' } }, 'merge');
    }
    const { code } = await applyAs(admin, 'm', at('many'), configMap('many', { applied: '1' }));
    expect(code).to.equal(200);
    const record = await recordOf(at('many'));
    expect(record.filter((entry) => entry.includes(' Update ')).length).to.equal(10);
    expect(record[0]).to.equal('m Apply v1: data.applied');
    const ancient = record.find((entry) => entry.startsWith('ancient-changes Update v1: ')) ?? '';
    expect(ancient.split(' ')).to.include.members(['data.k00', 'data.w01', 'data.w02']);
    const owned = record.flatMap((entry) => entry.split(': ')[1]?.split(' ') ?? []);
    for (const name of names) expect(owned).to.include(`data.${name}`);
  });
});
