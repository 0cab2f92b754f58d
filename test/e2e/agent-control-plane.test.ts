import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Pod } from '../../src/apis/types/core-v1.ts';
import { fetchInsecurely } from '../replay/fetch-insecurely.ts';
import { podManifest, shellContainer } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { freePort } from '../support/free-ports.ts';
import { registerSecret } from '../support/kept-logs.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
/** What the server's program needs of the machine: the image has no C library. */
const machineFolders = ['/lib', '/lib64', '/usr'];
const patience = { patienceMs: 60_000 };

describe('nodeagent runs the API server that it reports to, as a static pod', () => {
  requireContainerd();
  /** A new server has no other namespace, and logs of pods lie where those of all agents do. */
  const namespace = 'default';
  const name = `server-${randomBytes(4).toString('hex')}`;
  const token = randomBytes(16).toString('hex');
  let containerd: Containerd;
  let folder: string;
  let port: number;
  before(async function () {
    this.timeout(60_000);
    registerSecret(token);
    containerd = await startContainerd();
    folder = join(containerd.folder, 'plane');
    await mkdir(folder);
    port = await freePort();
    await writeFile(join(folder, 'tokens.csv'), `${token},admin,1,system:masters\n`, { mode: 0o600 });
    const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'one',
      contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
      clusters: [{ name: 'one', cluster }],
      users: [{ name: 'one', user: { token } }],
    };
    await writeFile(join(folder, 'orchconfig'), JSON.stringify(config), { mode: 0o600 });
  });
  after(async function () {
    this.timeout(60_000);
    await containerd?.[Symbol.asyncDispose]();
  });

  /** The server, with the machine's own programs and this project at their places. */
  const manifest = (): object => {
    const places = [...machineFolders, root, dirname(process.execPath), folder];
    const script = `exec ${process.execPath} ${root}/dist/src/app/main.js orch serve --data-dir=${folder}/data --bind-address=127.0.0.1 --secure-port=${port} --token-auth-file=${folder}/tokens.csv`;
    const volumeMounts = places.map((mountPath, index) => ({ name: `place${index}`, mountPath }));
    const volumes = places.map((path, index) => ({ name: `place${index}`, hostPath: { path } }));
    return podManifest({ name, namespace, spec: { hostNetwork: true, volumes } }, [
      shellContainer('server', script, { volumeMounts }),
    ]);
  };
  const ask = async (path: string): Promise<unknown> => {
    const url = `https://127.0.0.1:${port}${path}`;
    const { status, text } = await fetchInsecurely(url, { Authorization: `Bearer ${token}` });
    return status === 200 ? JSON.parse(text) : undefined;
  };

  it('starts it before it has ever answered, then joins it and shows the pod there', async function () {
    this.timeout(120_000);
    const flags = [`--orchconfig=${join(folder, 'orchconfig')}`];
    await using agent = new AgentProgram({ containerd, folder: join(containerd.folder, 'agent'), flags });
    await agent.launch();
    await agent.putManifest(name, manifest());
    const seen = await eventually(async () => {
      const { items = [] } = ((await ask('/api/v1/pods').catch(() => undefined)) ?? {}) as { items?: Pod[] };
      return items.find(
        ({ metadata, status }) => metadata.name === `${name}-node1` && status.phase === 'Running',
      );
    }, patience);
    expect(seen.spec.nodeName).to.equal('node1');
    await eventually(() => ask('/api/v1/nodes/node1'), patience);
    await agent.removeManifest(name);
    // The folder of a pod is the last that goes.
    await untilNone(() => readdir(join(agent.rootFolder, 'pods')), patience);
    expect(await agent.stop()).to.equal(0);
  });
});
