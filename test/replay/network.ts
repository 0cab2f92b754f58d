import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually } from '../support/eventually.ts';
import type { ApiServer } from './api-server.ts';
import { callApi } from './call-api.ts';
import { differences } from './matching.ts';
import type { Case, Lane, Rig } from './rig.ts';

/** A node whose runtime has no network, and then one. */
interface NetworkRecording {
  readonly expect: {
    readonly conditions: unknown;
    readonly taints: unknown;
    readonly afterConfiguration: unknown;
  };
}

interface NodeOfNetwork {
  readonly spec?: { readonly taints?: unknown };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const nodePath = '/api/v1/nodes/node1';
const settledAfterMs = 2000;

/** Recordings of nodes without a network. */
export function networkLanes(cases: readonly Case[], rig: Rig): readonly Lane[] {
  return cases.map((one) => () => rig.play(one, () => play(one, rig)));
}

async function play(one: Case, rig: Rig): Promise<readonly string[]> {
  const { expect } = one.recording as NetworkRecording; // cases of this kind are recordings of it
  await using containerd = await startContainerd();
  const configuration = join(containerd.folder, 'net.d/10-test.conflist');
  const away = join(containerd.folder, 'away');
  await rename(configuration, away);
  await waitForNetwork(containerd, false);
  const server = await rig.startServer(one.name, ['--controllers=none']);
  const agent = await rig.makeAgent(
    one.name,
    [`--orchconfig=${server.configPath}`, '--node-status-update-frequency=2s'],
    { containerd },
  );
  try {
    await agent.start();
    const isReady = (wanted: string) => async (): Promise<boolean> => {
      const { status } = await readNode(server);
      return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === wanted) ?? false;
    };
    await agent.waitUntil('the node does not say that it is not ready', isReady('False'));
    await delay(settledAfterMs);
    const before = await readNode(server);
    // The runtime looks at files that are written, not at ones that are moved there.
    await writeFile(configuration, await readFile(away));
    await agent.waitUntil('the node does not get ready', isReady('True'), { patienceMs: 40_000 });
    const after = await readNode(server);
    return [
      ...differences(expect.conditions, before.status?.conditions, [], '/conditions'),
      ...differences(expect.taints, before.spec?.taints, [], '/taints'),
      ...differences(expect.afterConfiguration, after.status?.conditions, [], '/afterConfiguration'),
    ];
  } finally {
    await rig.stopAgent(agent);
    await server.stop();
  }
}

async function readNode(server: ApiServer): Promise<NodeOfNetwork> {
  const { body } = await callApi(server, { method: 'GET', path: nodePath });
  return body as NodeOfNetwork; // the path is of such, or of a Status, which has none of the fields' parts
}

/** The runtime looks after its folder of configurations. */
async function waitForNetwork({ endpoint }: Containerd, wanted: boolean): Promise<void> {
  await using driver = createCriRuntime({ endpoint, requestTimeoutMs: 5000 });
  await eventually(async () =>
    (await driver.runtime.status()).isNetworkReady === wanted ? true : undefined,
  );
}
