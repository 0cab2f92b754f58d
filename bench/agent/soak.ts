/**
 * Lets pods of manifests and of a server come, change, crash, be evicted and go for a long time while the built
 * `nodeagent` is killed again and again, and looks for what stays behind: mounts, control groups, network namespaces,
 * addresses, folders, descriptors, memory. In the last third of the time the agent lives on, so that what grows within
 * one life shows. Needs what the agent's tests need (root, containerd). `npm run soak:agent`; options go after `--`:
 *
 * `--minutes N` how long, by default 20; `--pods N` pods at most, by default 20; `--kill-every N` minutes between kills,
 * by default 2. The exit code is 1 when something stays or grows.
 */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import { AgentProgram } from '../../test/support/agent-program.ts';
import { linesOf, readTraces, removeLogs } from '../../test/support/agent-traces.ts';
import { ApiClient } from '../../test/support/api-client.ts';
import { missingForContainerd, startContainerd } from '../../test/support/containerd.ts';
import { eventually, untilNone } from '../../test/support/eventually.ts';
import { inNamespace } from '../../test/support/objects.ts';
import { createRandomSource } from '../../test/support/random-source.ts';
import { startServe } from '../../test/support/serve-process.ts';
import { residentMegabytes } from '../process-usage.ts';
import { manifests, ServerPods } from './soak-places.ts';
import { SoakPods } from './soak-pods.ts';

/** How long, and how rough. */
interface Soak {
  readonly minutes: number;
  readonly mostPods: number;
  readonly killEveryMinutes: number;
}

/** What the agent holds while no pod is wanted. */
interface Rest {
  readonly residentMegabytes: number;
  readonly descriptors: number;
}

const patience = { patienceMs: 120_000 };
/** Time for garbage to be collected, and for connections to be closed that are kept for a while. */
const restMs = 15_000;
/** What one life may grow by from its first rest to its last: pages that the runtime keeps for itself, kept connections. */
const bounds = { growthMegabytes: 15, growthDescriptors: 3 } as const;

async function soak({ minutes, mostPods, killEveryMinutes }: Soak): Promise<readonly string[]> {
  await using opened = new AsyncDisposableStack();
  const namespace = `soak-${randomBytes(4).toString('hex')}`;
  opened.defer(() => removeLogs(namespace));
  const containerd = opened.use(await startContainerd());
  const { runtime } = opened.use(
    createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 }),
  );
  const server = opened.use(await startServe([`--data-dir=${join(containerd.folder, 'data')}`, '-v=1']));
  const client = opened.adopt(new ApiClient(server.access), (each) => each.close());
  await makeNamespace(client, namespace);
  const agent = opened.use(
    new AgentProgram({
      containerd,
      folder: join(containerd.folder, 'agent'),
      flags: [`--orchconfig=${server.configPath}`, '--v=1'],
    }),
  );
  const seed = randomBytes(4).readUInt32LE();
  const served = new ServerPods(client, namespace);
  const places = [manifests(agent), served];
  const pods = new SoakPods({ places, runtime, random: createRandomSource(seed), namespace, mostPods });
  const traces = async () =>
    linesOf(await readTraces({ containerd, runtime, rootFolder: agent.rootFolder, namespace }));
  const print = (text: string): void => {
    const minute = (performance.now() / 60_000).toFixed(1).padStart(5);
    process.stdout.write(`${minute} min  ${text}\n`);
  };
  /** Waits until nothing is left of any pod, and says what the agent holds then. */
  const settle = async (): Promise<Rest> => {
    await pods.removeAll();
    await untilNone(traces, patience);
    await delay(restMs);
    const rest = await restOf(agent.pid);
    const done = `${pods.changes} changes, ${served.evicted} pods evicted`;
    print(`no pods after ${done}: ${textOf(rest)}; no traces of pods`);
    return rest;
  };

  print(`seed ${seed}, at most ${mostPods} pods, a kill every ${killEveryMinutes} min`);
  await agent.start();
  const killsUntilMs = (minutes * 60_000 * 2) / 3;
  for (let lastedMs = 0; lastedMs < killsUntilMs; lastedMs += killEveryMinutes * 60_000) {
    await pods.churn(Math.min(killEveryMinutes * 60_000, killsUntilMs - lastedMs));
    print(`killed with ${(await agent.pods()).length} pods, ${textOf(await restOf(agent.pid))}`);
    await agent.kill();
    await agent.start();
  }
  // The first pods of a life leave code and buffers in memory.
  await pods.churn(30_000);
  const first = await settle();
  await pods.churn((minutes * 60_000) / 3);
  const last = await settle();
  const problems = growthBetween(first, last);
  if (served.evicted === 0) problems.push('no pod was evicted');
  if ((await agent.stop()) !== 0) problems.push('the agent did not end well');
  return problems;
}

/** Makes the namespace, and waits until pods may be made in it. */
async function makeNamespace(client: ApiClient, name: string): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await client.expect('POST', '/api/v1/namespaces', { body: namespace });
  const account = inNamespace(name, 'serviceaccounts/default');
  await eventually(async () => ((await client.get(account)).code === 200 ? true : undefined), patience);
}

async function restOf(pid: number): Promise<Rest> {
  return {
    residentMegabytes: await residentMegabytes(pid),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
  };
}

const textOf = ({ residentMegabytes, descriptors }: Rest): string =>
  `${residentMegabytes.toFixed(1)} MB, ${descriptors} descriptors`;

function growthBetween(first: Rest, last: Rest): string[] {
  const megabytes = last.residentMegabytes - first.residentMegabytes;
  const descriptors = last.descriptors - first.descriptors;
  return [
    ...(megabytes > bounds.growthMegabytes ? [`memory grew by ${megabytes.toFixed(1)} MB`] : []),
    ...(descriptors > bounds.growthDescriptors ? [`${descriptors} more descriptors are open`] : []),
  ];
}

/** @throws RangeError when it is not a number above 0 */
function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name}: "${text}" is not a number above 0`);
  return value;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    pods: { type: 'string', default: '20' },
    'kill-every': { type: 'string', default: '2' },
  },
});
const missing = missingForContainerd();
if (missing !== undefined) {
  console.error(`soak: ${missing}`);
  process.exit(1);
}
const problems = await soak({
  minutes: readNumber('minutes', values.minutes),
  mostPods: readNumber('pods', values.pods),
  killEveryMinutes: readNumber('kill-every', values['kill-every']),
});
process.stdout.write(problems.length === 0 ? 'nothing leaks\n' : `${problems.join('\n')}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
