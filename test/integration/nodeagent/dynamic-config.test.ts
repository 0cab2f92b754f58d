import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-ports.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

const main = fileURLToPath(new URL('../../../src/app/main.ts', import.meta.url));
const patience = { patienceMs: 30_000 };
const nodePath = '/api/v1/nodes/node1';
const mapsPath = '/api/v1/namespaces/default/configmaps';
const mergePatch = 'application/merge-patch+json';

const configText = (fields: string): string =>
  `apiVersion: nodeagent.config.orch.io/v1beta1\nkind: NodeAgentConfiguration\n${fields}\n`;

describe('nodeagent --dynamic-config-dir', function () {
  this.timeout(90_000);
  let folder: TemporaryDirectory;
  let server: ServerProcess;
  let admin: ApiClient;
  let child: ChildProcess | undefined;
  let port = 0;

  before(async () => {
    folder = await makeTemporaryDirectory();
    server = await startServerProcess(['--controllers=none', '--disable-admission-plugins=ServiceAccount']);
    admin = server.admin;
    await writeFile(join(folder.path, 'orchconfig'), clientConfig(admin));
    await writeFile(join(folder.path, 'local.yaml'), configText('maxPods: 11'));
  });
  after(async () => {
    if (child?.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    await server?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  /** Starts the agent as a supervisor does; it needs no runtime to be configured. */
  async function start(): Promise<void> {
    port = await freePort();
    const at = (name: string): string => join(folder.path, name);
    const flags = [
      ...[`--orchconfig=${at('orchconfig')}`, `--config=${at('local.yaml')}`, '--hostname-override=node1'],
      ...[`--dynamic-config-dir=${at('dynamic')}`, '--feature-gates=QOSReserved=true', '--pods-per-core=3'],
      ...['--container-runtime=remote', `--container-runtime-endpoint=unix://${at('no-runtime')}`],
      ...[`--root-dir=${at('root')}`, `--cert-dir=${at('pki')}`, '--address=127.0.0.1', `--port=${port}`],
      ...['--healthz-port=0', '--read-only-port=0', '--anonymous-auth', '--authorization-mode=AlwaysAllow'],
      ...['--cgroups-per-qos=false', '--enforce-node-allocatable=', '--fail-swap-on=false'],
      ...['--make-iptables-util-chains=false'],
    ];
    const log = openSync(at('agent.log'), 'a');
    child = spawn(process.execPath, [main, 'nodeagent', ...flags], { stdio: ['ignore', log, log] });
    closeSync(log);
  }
  const log = (): Promise<string> => readFile(join(folder.path, 'agent.log'), 'utf8');

  /** Waits until the agent has ended by itself, and starts another one. */
  async function untilRestarted(): Promise<void> {
    if (child?.exitCode === null) await once(child, 'exit');
    expect(child?.exitCode, await log()).to.equal(0);
    await start();
  }
  const untilStatus = (fits: (config: JsonObject) => boolean): Promise<JsonObject> =>
    eventually(async () => {
      if (child?.exitCode !== null) throw new Error(`the agent has ended: ${(await log()).slice(-2000)}`);
      const config = (await admin.get(nodePath)).body.status?.config;
      return config !== undefined && fits(config) ? config : undefined;
    }, patience);
  const assign = (configSource: object | null): Promise<JsonObject> =>
    admin.expect('PATCH', nodePath, { body: { spec: { configSource } }, contentType: mergePatch });
  const change = (text: string): Promise<JsonObject> =>
    admin.expect('PATCH', `${mapsPath}/agent`, { body: { data: { main: text } }, contentType: mergePatch });
  const untilConfigz = (): Promise<JsonObject> =>
    eventually(
      async () => (await fetchJson(`https://127.0.0.1:${port}/configz`))?.nodeagentconfig as JsonObject,
      patience,
    );
  const source = { namespace: 'default', name: 'agent', nodeAgentConfigKey: 'main' };
  const versionOf = ({ metadata }: JsonObject): JsonObject => {
    const { uid, resourceVersion } = metadata;
    return { configMap: { ...source, uid, resourceVersion } };
  };
  let good: JsonObject;

  it('uses the local configuration until the node names another one, and then makes room for it', async () => {
    await start();
    expect(await untilStatus(() => true)).to.deep.equal({});
    expect((await untilConfigz()).maxPods).to.equal(11);
    const text = configText('maxPods: 42\npodsPerCore: 7\nfeatureGates: {SizeMemoryBackedVolumes: true}');
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'agent' }, data: { main: text } };
    good = versionOf(await admin.create(mapsPath, map));
    await assign({ configMap: source });
    await untilRestarted();
    const { uid, resourceVersion } = good.configMap;
    const { items } = (await admin.get('/api/v1/namespaces/default/events')).body;
    const event = items.find(({ reason }: JsonObject) => reason === 'NodeAgentConfigChanged');
    const message = `NodeAgent restarting to use ${mapsPath}/agent, UID: ${uid}, ResourceVersion: ${resourceVersion}, NodeAgentConfigKey: main`;
    expect(event).to.include({ message, type: 'Normal' });
    expect(await log()).to.include(message);
  });

  it('starts with the assigned configuration, below the flags, and says so', async () => {
    expect(await untilStatus(({ active }) => active !== undefined)).to.deep.equal({
      assigned: good,
      active: good,
    });
    const { maxPods, podsPerCore, featureGates } = await untilConfigz();
    expect({ maxPods, podsPerCore, featureGates }).to.deep.equal({
      maxPods: 42,
      podsPerCore: 3,
      featureGates: { QOSReserved: true, SizeMemoryBackedVolumes: true },
    });
    const store = join(folder.path, 'dynamic', 'store');
    expect(await readdir(join(store, 'meta'))).to.have.members(['assigned', 'last-known-good']);
    const { uid, resourceVersion } = good.configMap;
    const checkpoint = join(store, 'checkpoints', uid, resourceVersion, 'main');
    expect(await readFile(checkpoint, 'utf8')).to.include('maxPods: 42');
  });

  it('goes back to the last known good one when a new one cannot be read or used', async () => {
    const old = new Date(Date.now() - 600_000);
    await utimes(join(folder.path, 'dynamic/store/meta/assigned'), old, old);
    child?.kill('SIGTERM');
    await untilRestarted();
    const proven = await untilStatus(({ lastKnownGood }) => lastKnownGood !== undefined);
    expect(proven).to.deep.equal({ assigned: good, active: good, lastKnownGood: good });

    const unreadable = versionOf(await change('maxPods: ['));
    await untilRestarted();
    expect(await untilStatus(({ error }) => error !== undefined)).to.deep.equal({
      assigned: unreadable,
      active: good,
      lastKnownGood: good,
      error: 'failed to load config, see NodeAgent log for details',
    });
    expect((await untilConfigz()).maxPods).to.equal(42);

    const invalid = versionOf(await change(configText('maxPods: -1')));
    await untilRestarted();
    const { assigned, active, error } = await untilStatus((config) => /validate/.test(config.error));
    expect([assigned, active]).to.deep.equal([invalid, good]);
    expect(error).to.equal('failed to validate config, see NodeAgent log for details');
    expect(await log()).to.match(/failed to validate config.*error: .*maxPods/i);
  });

  it('tells when the ConfigMap is gone, and returns to the local configuration when it is told to', async () => {
    await admin.expect('DELETE', `${mapsPath}/agent`);
    const { error } = await untilStatus((config) => /sync/.test(config.error));
    expect(error).to.equal('failed to sync: failed to download config, see NodeAgent log for details');
    await assign(null);
    await untilRestarted();
    expect(await untilStatus((config) => Object.keys(config).length === 0)).to.deep.equal({});
    expect((await untilConfigz()).maxPods).to.equal(11);
    child?.kill('SIGTERM');
    if (child?.exitCode === null) await once(child, 'exit');
    expect(child?.exitCode).to.equal(0);
  });
});

function clientConfig({ access }: ApiClient): string {
  const data = (pem: string | undefined): string => Buffer.from(pem ?? '').toString('base64');
  const cluster = { server: access.url, 'certificate-authority-data': data(access.authorityPem) };
  const user = {
    'client-certificate-data': data(access.certificatePem),
    'client-key-data': data(access.keyPem),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** Undefined while nobody answers. The agent signs its certificate itself. */
function fetchJson(url: string): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    get(url, { rejectUnauthorized: false, agent: false }, (answer) => {
      json(answer).then(
        (body) => resolve(body as JsonObject), // of the agent under test
        () => resolve(undefined),
      );
    }).once('error', () => resolve(undefined));
  });
}
