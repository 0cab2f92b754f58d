import { expect } from 'chai';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { createRestClient, type RestClient } from '../../../src/client/index.ts';
import {
  CheckpointStore,
  type ConfigState,
  type DynamicConfig,
  followConfig,
} from '../../../src/nodeagent/dynamic-config/index.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../support/test-server.ts';
import { otherDialect } from '../../unit/nodeagent/agent-config.ts';

const maps = inNamespace('default', 'configmaps');
const key = otherDialect.spell('nodeAgentConfigKey');
const program = otherDialect.spell('NodeAgent');

describe('followConfig', () => {
  let folder: TemporaryDirectory;
  let store: CheckpointStore;
  let server: TestServer;
  let client: RestClient;
  let following: DynamicConfig;
  let restarts: string[];
  let nodeCount = 0;
  let nodeName: string;

  before(async () => {
    server = await startTestServer({ flags: ['--dialect=kubernetes'] });
    const { url, authorityPem } = server.server;
    client = createRestClient({
      connection: { server: url, tls: { ca: authorityPem }, auth: { token: tokens.admin } },
    });
  });
  after(async () => {
    client.close();
    await server.stop();
  });
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    store = new CheckpointStore(folder.path, otherDialect);
    await store.prepare();
    nodeName = `node${++nodeCount}`;
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } };
    await server.admin.create('/api/v1/nodes', node);
    restarts = [];
  });
  afterEach(async () => {
    await following[Symbol.asyncDispose]();
    await folder.remove();
  });

  const follow = (state: ConfigState = {}): void => {
    const common = { client, nodeName, dialect: otherDialect, clock: systemClock, logger: silentLogger };
    following = followConfig({
      ...common,
      store,
      state,
      onChange() {},
      onRestart: (message) => restarts.push(message),
    });
  };
  const assign = (name: string | undefined): Promise<JsonObject> => {
    const configSource =
      name === undefined ? null : { configMap: { namespace: 'default', name, [key]: 'main' } };
    const contentType = 'application/merge-patch+json';
    return server.admin.expect('PATCH', `/api/v1/nodes/${nodeName}`, {
      body: { spec: { configSource } },
      contentType,
    });
  };
  const untilRestart = (): Promise<string> => eventually(async () => restarts[0]);

  it('tells that a ConfigMap is missing, and takes it when it comes', async () => {
    await assign('late');
    follow();
    const error = `failed to sync: failed to download config, see ${program} log for details`;
    await eventually(async () => (following.status().error === error ? true : undefined));
    expect(following.status()).to.deep.equal({ error });
    await server.admin.create(maps, configMap('late', { main: 'text' }));
    const { metadata } = (await server.admin.get(`${maps}/late`)).body;
    const { uid, resourceVersion } = metadata;
    const message = `${program} restarting to use ${maps}/late, UID: ${uid}, ResourceVersion: ${resourceVersion}, ${program}ConfigKey: main`;
    expect(await untilRestart()).to.equal(message);
    const kept = { namespace: 'default', name: 'late', key: 'main', uid, resourceVersion };
    expect(await store.read('assigned')).to.deep.equal(kept);
    expect(following.status()).to.deep.include({
      assigned: { configMap: { namespace: 'default', name: 'late', [key]: 'main', uid, resourceVersion } },
    });
    const { items } = (await server.admin.get(inNamespace('default', 'events'))).body;
    const event = items.find(({ involvedObject }: JsonObject) => involvedObject.name === nodeName);
    expect(event).to.include({ reason: `${program}ConfigChanged`, message });
  });

  it('leaves alone what is in force, until the ConfigMap changes', async () => {
    await server.admin.create(maps, configMap('changing', { main: 'one' }));
    const { uid, resourceVersion } = (await server.admin.get(`${maps}/changing`)).body.metadata;
    const active = { namespace: 'default', name: 'changing', key: 'main', uid, resourceVersion };
    await store.save(active, new Map([['main', 'one']]));
    await store.write('assigned', active);
    await assign('changing');
    // A start that could not use it keeps saying so while nothing changes.
    follow({ assigned: active, active, error: 'of the start', syncError: 'of before' });
    await eventually(async () => (following.status().error === 'of the start' ? true : undefined));
    expect(restarts).to.deep.equal([]);
    await server.admin.send('PUT', `${maps}/changing`, { body: configMap('changing', { main: 'two' }) });
    await untilRestart();
    expect((await store.read('assigned'))?.resourceVersion).to.not.equal(resourceVersion);
  });

  it('forgets both sources when the node asks for local configuration', async () => {
    const assigned = { namespace: 'default', name: 'a', key: 'main', uid: 'u', resourceVersion: '1' };
    await store.write('assigned', assigned);
    await store.write('last-known-good', assigned);
    follow({ assigned, lastKnownGood: assigned });
    expect(await untilRestart()).to.equal(`${program} restarting to use local config`);
    expect(await store.read('assigned')).to.equal(undefined);
    expect(await store.read('last-known-good')).to.equal(undefined);
  });
});
