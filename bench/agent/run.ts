/**
 * Measures the built `nodeagent` on a container runtime of its own: how long a start and a pod take, what it costs while
 * it is idle. Needs what its tests need (root, containerd). `npm run bench:agent`; options go after `--`:
 *
 * `--quick` only enough to see that everything works; `-o json` figures for programs.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { podManifest, shellContainer, untilAsked } from '../../test/support/agent-pods.ts';
import { AgentProgram } from '../../test/support/agent-program.ts';
import { removeLogs } from '../../test/support/agent-traces.ts';
import { type Containerd, missingForContainerd, startContainerd } from '../../test/support/containerd.ts';
import { untilNone } from '../../test/support/eventually.ts';
import { type AgentFigures, renderAgentReport } from './agent-report.ts';
import { type IdleUsage, measureIdle } from './agent-usage.ts';
import { measureOutage } from './outage.ts';
import { type LatencyOptions, measurePodStart } from './start-latency.ts';

interface Profile {
  readonly starts: number;
  readonly podStarts: number;
  /** Rising; the last ones are ended all at once. */
  readonly podCounts: readonly number[];
  readonly outageMs: number;
  readonly idleMs: number;
  /** Before the agent counts as idle. */
  readonly settleMs: number;
}

const full: Profile = {
  starts: 5,
  podStarts: 10,
  podCounts: [1, 30, 100],
  outageMs: 60_000,
  idleMs: 60_000,
  settleMs: 10_000,
};
const quick: Profile = {
  starts: 1,
  podStarts: 3,
  podCounts: [1, 3],
  outageMs: 1000,
  idleMs: 1000,
  settleMs: 0,
};
/** The defaults of the program, which tests shorten. */
const defaults = ['--file-check-frequency=20s', '--sync-frequency=1m'];
const patience = { patienceMs: 300_000 };

async function measure({
  starts,
  podStarts,
  podCounts,
  outageMs,
  idleMs,
  settleMs,
}: Profile): Promise<AgentFigures> {
  await using opened = new AsyncDisposableStack();
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  opened.defer(() => removeLogs(namespace));
  const containerd = opened.use(await startContainerd());
  const healthyMs: number[] = [];
  for (let start = 0; start < starts; start++) healthyMs.push(await measureStart(containerd, start));

  const folder = join(containerd.folder, 'agent');
  const agent = opened.use(new AgentProgram({ containerd, folder, flags: defaults }));
  await agent.start();
  const podStartMs: number[] = [];
  const options: LatencyOptions = { agent, containerd, namespace };
  for (let pod = 0; pod < podStarts; pod++) {
    podStartMs.push(await measurePodStart(`latency${pod}`, options));
    await removePods(agent);
  }
  // What the first pods have left in memory is no part of the figures.
  await agent.stop();
  await agent.start();
  const idle: IdleUsage[] = [];
  for (const count of podCounts) {
    await runPods(agent, namespace, count);
    await delay(settleMs);
    idle.push(await measureIdle(agent.pid, count, idleMs));
  }
  const endedAt = performance.now();
  await removePods(agent);
  const endMs = performance.now() - endedAt;
  await agent.stop();
  return { healthyMs, podStartMs, idle, endMs, outageMs: await measureOutage(containerd, outageMs) };
}

async function measureStart(containerd: Containerd, start: number): Promise<number> {
  const folder = join(containerd.folder, `start${start}`);
  await mkdir(folder, { recursive: true });
  await using agent = new AgentProgram({ containerd, folder, flags: defaults });
  const startedAt = performance.now();
  await agent.start();
  const elapsedMs = performance.now() - startedAt;
  await agent.stop();
  return elapsedMs;
}

/** Sees to it that so many pods run and are ready. */
async function runPods(agent: AgentProgram, namespace: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const name = `idle${index}`;
    await agent.putManifest(name, podManifest({ name, namespace }, [shellContainer('one', untilAsked)]));
  }
  await untilNone(async () => {
    const ready = (await agent.pods()).filter(({ status }) =>
      status.conditions?.some(({ type, status: isTrue }) => type === 'Ready' && isTrue === 'True'),
    );
    return ready.length === count ? [] : [`${ready.length} of ${count} pods are ready`];
  }, patience);
}

/** Takes all pods away; the folder of a pod is the last that goes. */
async function removePods(agent: AgentProgram): Promise<void> {
  await agent.removeManifests();
  await untilNone(() => readdir(join(agent.rootFolder, 'pods')), patience);
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, output: { type: 'string', short: 'o' } },
});
const missing = missingForContainerd();
if (missing !== undefined) {
  console.error(`bench: ${missing}`);
  process.exit(1);
}
const figures = await measure(values.quick === true ? quick : full);
process.stdout.write(
  values.output === 'json' ? `${JSON.stringify(figures, undefined, 2)}\n` : renderAgentReport(figures),
);
