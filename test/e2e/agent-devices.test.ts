import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Pod } from '../../src/apis/types/core-v1.ts';
import { podManifest, shellContainer } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { removeLogs } from '../support/agent-traces.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { DevicePlugin } from '../support/device-plugin-process.ts';
import { eventually } from '../support/eventually.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const patience = { patienceMs: 60_000 };
const resource = 'vendor.com/card';

describe('nodeagent gives containers devices of plugins', () => {
  requireContainerd();
  const namespace = `devices-${randomBytes(4).toString('hex')}`;
  const opened = new AsyncDisposableStack();
  let containerd: Containerd;
  let agent: AgentProgram;
  before(async function () {
    this.timeout(60_000);
    opened.defer(() => removeLogs(namespace));
    containerd = opened.use(await startContainerd());
    agent = opened.use(new AgentProgram({ containerd, folder: join(containerd.folder, 'agent') }));
    await agent.start();
  });
  after(async function () {
    this.timeout(60_000);
    await opened.disposeAsync();
  });

  const startPlugin = (): DevicePlugin =>
    opened.use(new DevicePlugin({ folder: join(agent.rootFolder, 'device-plugins'), resource }));
  const put = (name: string, count: number, script: string): Promise<void> => {
    const resources = { limits: { [resource]: `${count}` }, requests: { [resource]: `${count}` } };
    const container = shellContainer('main', script, { resources });
    return agent.putManifest(
      name,
      podManifest({ name, namespace, spec: { restartPolicy: 'Never' } }, [container]),
    );
  };
  /** The agent knows what the plugin listed, as its checkpoint tells. */
  const untilListed = (ids: readonly string[] = ['a0', 'b0']): Promise<true> =>
    eventually(async () => {
      const path = join(agent.rootFolder, 'device-plugins', 'nodeagent_internal_checkpoint');
      const text = await readFile(path, 'utf8').catch(() => '');
      return text.includes(`"RegisteredDevices":{"${resource}":${JSON.stringify(ids)}}`) || undefined;
    }, patience);
  const untilPhase = (name: string, phase: string): Promise<Pod> =>
    eventually(async () => {
      const pod = await agent.pod(name);
      return pod?.status.phase === phase ? pod : undefined;
    }, patience);

  it('as many as there are, also over a kill of both', async function () {
    this.timeout(180_000);
    const plugin = startPlugin();
    plugin.list('a0 b0');
    await plugin.said('registered');
    await untilListed();
    const hold = 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done';
    await put('holds', 1, `test "$DEVICES" = a0 && test -c /dev/vendor && test -d /vendor && ${hold}`);
    await untilPhase('holds', 'Running');
    await put('late', 2, 'true');
    const { status } = await untilPhase('late', 'Failed');
    expect(status).to.include({
      reason: 'UnexpectedAdmissionError',
      message: `Pod Allocate failed due to requested number of devices unavailable for ${resource}. Requested: 2, Available: 1, which is unexpected`,
    });

    await plugin.end();
    await untilListed([]);
    await agent.kill();
    await agent.start();
    const again = startPlugin();
    again.list('a0 b0');
    await again.said('registered');
    await untilListed();
    await put('beside', 1, 'test "$DEVICES" = b0');
    await untilPhase('beside', 'Succeeded');
    expect((await untilPhase('holds', 'Running')).status.containerStatuses?.[0]?.restartCount).to.equal(0);

    await agent.removeManifest('holds');
    await eventually(async () => ((await agent.pod('holds')) === undefined ? true : undefined), patience);
    await put('both', 2, 'test "$DEVICES" = a0,b0');
    await untilPhase('both', 'Succeeded');
  });
});
