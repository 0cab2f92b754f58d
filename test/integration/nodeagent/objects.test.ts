import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Pod } from '../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { type AgentObjects, createAgentObjects } from '../../../src/nodeagent/objects/index.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace, pod as podBody, service } from '../../support/objects.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { podOf } from '../../unit/nodeagent/container-config/pods.ts';

const maps = inNamespace('default', 'configmaps');

const podWith = (uid: string, ...names: string[]): Pod =>
  podOf(
    { volumes: names.map((name) => ({ name, configMap: { name } })) },
    { uid, name: uid, namespace: 'default' },
  );

describe('objects that pods refer to', () => {
  let server: TestServer;
  let client: RestClient;
  let end: AbortController;
  let objects: AgentObjects;
  let changed: string[];
  /** Requests that were sent, by method and path. */
  let requests: string[];
  before(async () => {
    server = await startTestServer();
    const { url, authorityPem } = server.server;
    client = createRestClient({
      connection: { server: url, tls: { ca: authorityPem }, auth: { token: tokens.admin } },
      trace: {
        onRequest: ({ method, url: asked }) => void requests.push(`${method} ${new URL(asked).pathname}`),
      },
    });
  });
  after(async () => {
    client.close();
    await server.stop();
  });
  beforeEach(() => {
    end = new AbortController();
    changed = [];
    requests = [];
    objects = createAgentObjects({
      client,
      dialect: orchDialect,
      clock: systemClock,
      logger: silentLogger,
      signal: end.signal,
      onChange: (podUid) => changed.push(podUid),
    });
  });
  afterEach(() => end.abort());
  const create = (name: string, data: Record<string, string> = {}, metadata = {}) =>
    server.admin.send('POST', maps, { body: configMap(name, data, metadata) });
  const dataOf = async (name: string) => (await objects.configMap('default', name))?.data;
  const asks = () => requests.filter((request) => !request.endsWith('services')).length;

  it('are followed once a pod uses them, and tell the pods of changes', async () => {
    await create('watched', { a: '1' });
    objects.registerPod(podWith('u1', 'watched'));
    objects.registerPod(podWith('u2', 'watched'));
    expect(await dataOf('watched')).to.deep.equal({ a: '1' });
    await server.admin.send('PUT', `${maps}/watched`, { body: configMap('watched', { a: '2' }) });
    await eventually(async () => (changed.length === 2 ? true : undefined));
    expect(changed).to.have.members(['u1', 'u2']);
    expect(await dataOf('watched')).to.deep.equal({ a: '2' });
    const before = asks();
    for (let round = 0; round < 5; round++) await dataOf('watched');
    expect(asks()).to.equal(before);
  });

  it('are seen when they come after the pod', async () => {
    objects.registerPod(podWith('u1', 'late'));
    expect(await dataOf('late')).to.equal(undefined);
    await create('late', { a: 'A' });
    expect(await dataOf('late')).to.deep.equal({ a: 'A' });
    await eventually(async () => (changed.includes('u1') ? true : undefined));
  });

  it('are let go of when no pod uses them', async () => {
    await create('left');
    objects.registerPod(podWith('u1', 'left'));
    objects.registerPod(podWith('u2', 'left'));
    await dataOf('left');
    objects.unregisterPod('u1');
    objects.registerPod(podWith('u2'));
    await server.admin.send('PUT', `${maps}/left`, { body: configMap('left', { a: '2' }) });
    const before = asks();
    expect(await dataOf('left')).to.deep.equal({ a: '2' });
    expect(asks()).to.equal(before + 1);
    expect(changed).to.deep.equal([]);
  });

  it('are not watched on when they never change', async () => {
    const body = { ...configMap('fixed', { a: '1' }), immutable: true };
    await server.admin.send('POST', maps, { body });
    objects.registerPod(podWith('u1', 'fixed'));
    expect(await dataOf('fixed')).to.deep.equal({ a: '1' });
    const before = asks();
    expect(await dataOf('fixed')).to.deep.equal({ a: '1' });
    expect(asks()).to.equal(before);
    await server.admin.send('DELETE', `${maps}/fixed`);
    await create('fixed', { a: 'new' });
    objects.registerPod(podWith('u2', 'fixed'));
    expect(await dataOf('fixed')).to.deep.equal({ a: 'new' });
  });

  it('are asked for when nobody has registered them', async () => {
    await create('plain', { a: 'A' });
    expect(await dataOf('plain')).to.deep.equal({ a: 'A' });
    expect(await objects.persistentVolumeClaim('default', 'none')).to.equal(undefined);
    expect(await objects.persistentVolume('none')).to.equal(undefined);
    expect(await objects.secret('default', 'none')).to.equal(undefined);
  });

  it('include services', async () => {
    await server.admin.send('POST', inNamespace('default', 'services'), { body: service('web') });
    await objects.whenServicesSynced;
    const find = async () => objects.services().find(({ metadata }) => metadata.name === 'web');
    expect((await eventually(find)).spec.clusterIP).to.match(/^\d/);
  });

  it('include tokens of the pod', async () => {
    const account = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } };
    await server.admin.send('POST', inNamespace('default', 'serviceaccounts'), { body: account });
    const plain = podBody('holder');
    const body = { ...plain, spec: { ...plain.spec, serviceAccountName: 'robot' } };
    const made = await server.admin.send('POST', inNamespace('default', 'pods'), { body });
    const pod = podOf({ serviceAccountName: 'robot' }, made.body.metadata);
    const token = await objects.serviceAccountToken({ pod, audience: 'me', expirationSeconds: 600 });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect([claims.aud, claims.sub]).to.deep.equal([['me'], 'system:serviceaccount:default:robot']);
    const error = await objects
      .serviceAccountToken({
        pod: podOf({ serviceAccountName: 'nobody' }, made.body.metadata),
        audience: '',
        expirationSeconds: 600,
      })
      .catch((reason) => reason);
    expect(error.message).to.equal('failed to fetch token: serviceaccounts "nobody" not found');
  });

  it('are served as they were last seen while the server is away', async () => {
    const other = await startTestServer();
    const { url, authorityPem } = other.server;
    const connection = { server: url, tls: { ca: authorityPem }, auth: { token: tokens.admin } };
    const ownClient = createRestClient({ connection });
    await other.admin.send('POST', maps, { body: configMap('seen', { a: 'A' }) });
    const own = createAgentObjects({
      client: ownClient,
      dialect: orchDialect,
      clock: systemClock,
      logger: silentLogger,
      signal: end.signal,
      onChange() {},
    });
    own.registerPod(podWith('u1', 'seen', 'unseen'));
    expect(await own.configMap('default', 'unseen')).to.equal(undefined);
    const read = async () => (await own.configMap('default', 'seen'))?.data;
    expect(await read()).to.deep.equal({ a: 'A' });
    await other.stop();
    expect(await read()).to.deep.equal({ a: 'A' });
    expect(await read()).to.deep.equal({ a: 'A' });
    const error = await own.configMap('default', 'unseen').catch((reason) => reason);
    expect(error.name).to.equal('TransportError');
    ownClient.close();
  });
});
