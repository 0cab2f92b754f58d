import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentProgram } from '../../test/support/agent-program.ts';
import { ApiClient } from '../../test/support/api-client.ts';
import type { Containerd } from '../../test/support/containerd.ts';
import { eventually } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/free-ports.ts';
import { startServe } from '../../test/support/serve-process.ts';

const patience = { patienceMs: 120_000 };

/**
 * Time from the moment a server is ready again after an outage until the agent's node is Ready by a lease that was
 * renewed since. The outage is a crash (SIGKILL).
 *
 * @throws Error when that takes two minutes
 */
export async function measureOutage(containerd: Containerd, outageMs: number): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const port = await freePort();
  const flags = [`--data-dir=${join(containerd.folder, 'outage-data')}`, `--secure-port=${port}`, '-v=1'];
  const first = await startServe(flags);
  opened.defer(() => first.kill());
  const agent = new AgentProgram({
    containerd,
    folder: join(containerd.folder, 'outage'),
    flags: [`--orchconfig=${first.configPath}`, '--v=1'],
  });
  opened.use(agent);
  await agent.start();
  const client = opened.adopt(new ApiClient(first.access), (each) => each.close());
  await untilReadySince(client, 0);
  await first.kill();
  await delay(outageMs);
  const returnedAtMs = Date.now();
  const second = opened.use(await startServe(flags));
  const next = opened.adopt(new ApiClient(second.access), (each) => each.close());
  const startedAt = performance.now();
  await untilReadySince(next, returnedAtMs);
  const elapsedMs = performance.now() - startedAt;
  await agent.stop();
  return elapsedMs;
}

/** Waits until the node is Ready, and its lease was renewed at this time (Unix, in milliseconds) or later. */
async function untilReadySince(client: ApiClient, sinceMs: number): Promise<void> {
  const lease = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases/node1';
  await eventually(async () => {
    const [held, node] = await Promise.all([client.get(lease), client.get('/api/v1/nodes/node1')]);
    const ready = node.body.status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
    const isRenewed = Date.parse(held.body.spec?.renewTime ?? '') >= sinceMs;
    return isRenewed && ready?.status === 'True' ? true : undefined;
  }, patience);
}
