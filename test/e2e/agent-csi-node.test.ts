import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AgentProcess } from '../replay/agent-process.ts';
import { ApiServer } from '../replay/api-server.ts';
import { ApiClient } from '../support/api-client.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
const program = (...words: readonly string[]): string[] => [process.execPath, main, ...words];
const patience = { patienceMs: 60_000 };

describe('a node whose server has no CSINode for it', function () {
  this.timeout(120_000);
  requireContainerd();
  let containerd: Containerd;
  let server: ApiServer;
  let api: ApiClient;

  before(async () => {
    containerd = await startContainerd();
    const folder = join(containerd.folder, 'api');
    await mkdir(folder, { recursive: true });
    const flags = ['--runtime-config=storage.orch.io/v1=false'];
    server = await ApiServer.start(program('orch', 'serve'), folder, flags);
    const authorityPem = await readFile(join(folder, 'data/pki/ca.crt'), 'utf8');
    api = new ApiClient({ url: server.url, authorityPem, token: server.token });
  });
  after(async () => {
    api?.close();
    await server?.stop();
    await containerd?.[Symbol.asyncDispose]();
  });

  /** Runs an agent until the condition `Ready` of its node is what is awaited. */
  async function awaitReady(
    nodeName: string,
    gate: string,
    expected: { readonly status: string; readonly message: RegExp },
  ): Promise<void> {
    const folder = join(containerd.folder, nodeName);
    await mkdir(folder, { recursive: true });
    const flags = [
      `--orchconfig=${server.configPath}`,
      `--hostname-override=${nodeName}`,
      `--feature-gates=${gate}`,
    ];
    const agent = new AgentProcess({ containerd, folder, command: program('nodeagent'), flags });
    await agent.start();
    try {
      await eventually(async () => {
        const { code, body } = await api.get(`/api/v1/nodes/${nodeName}`);
        if (code !== 200) return undefined;
        const { conditions } = Object(body).status;
        const ready = conditions.find(({ type }: { type: string }) => type === 'Ready');
        return ready.status === expected.status && expected.message.test(ready.message) ? true : undefined;
      }, patience);
    } finally {
      await agent.stop();
    }
  }

  it('is not ready, and says why', async () => {
    const message = /^(?!\[)Failed to initialize CSINode: /;
    await awaitReady('node1', 'CSIMigration=true', { status: 'False', message });
    const { body } = await api.get('/api/v1/events');
    const reasons = Object(body).items.map(({ reason }: { reason: string }) => reason);
    expect(reasons).to.not.include('NodeReady');
  });

  it('is ready without the gate', async () => {
    await awaitReady('node2', 'CSIMigration=false', { status: 'True', message: /posting ready status/ });
  });
});
