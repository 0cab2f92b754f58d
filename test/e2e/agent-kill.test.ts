import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { orchDialect } from '../../src/machinery/dialect.ts';
import { runtimeLabelNames } from '../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../src/nodeagent/runtime/index.ts';
import { podManifest, shellContainer, untilAsked } from '../support/agent-pods.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { type AgentTraces, linesAbout, linesOf, readTraces, removeLogs } from '../support/agent-traces.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { eventually, untilNone } from '../support/eventually.ts';
import { createRandomSource, type RandomSource } from '../support/random-source.ts';
import { requireContainerd } from '../support/require-containerd.ts';
import { testSeed } from '../support/test-seed.ts';

const kills = Number(process.env.ORCH_TEST_KILLS ?? 50);
const longestLifeMs = 2000;
const mostPods = 6;
const patience = { patienceMs: 60_000 };
const samplePauseMs = 40;
/** Containers that begin and run on, or end for good. */
const shapes = ['server', 'stubborn', 'initialized', 'job'] as const;
const labels = runtimeLabelNames(orchDialect);
/** Shell command that writes the id of its container, which its cgroup is named after. */
const writeId = "sed -n '1s|.*/||p' /proc/self/cgroup";

describe('nodeagent, killed while static pods come, change and go', () => {
  requireContainerd();
  const namespace = `kill-${randomBytes(4).toString('hex')}`;
  let containerd: Containerd;
  before(async function () {
    this.timeout(60_000);
    containerd = await startContainerd();
  });
  after(async function () {
    this.timeout(60_000);
    await containerd?.[Symbol.asyncDispose]();
    await removeLogs(namespace);
  });

  it(`starts nothing twice and leaves nothing behind, over ${kills} kills (seed ${testSeed})`, async function () {
    this.timeout(240_000);
    await using driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 });
    await using agent = new AgentProgram({ containerd, folder: join(containerd.folder, 'agent') });
    const records = join(containerd.folder, 'records');
    await mkdir(records);
    const churn = new Churn({ agent, random: createRandomSource(testSeed), namespace, records });
    await using watch = watchForTwins(driver);
    await agent.start();
    await churn.addLasting();
    const lasting = await eventually(() => runningIds(driver, 'lasting'), patience);
    await agent.kill();

    for (let kill = 0; kill < kills; kill++) {
      await agent.launch();
      await churn.live();
      await agent.kill();
      expect([...new Set(watch.twins)]).to.deep.equal([]);
      expect(await runningIds(driver, 'lasting'), 'a pod that nobody touched was touched').to.deep.equal(
        lasting,
      );
    }

    await agent.start();
    await untilNone(async () => churn.unsettled(await agent.pods()), patience);
    expect(await runningIds(driver, 'lasting')).to.deep.equal(lasting);
    const cutOff = await startsCutOff(join(containerd.folder, 'containerd.log'));
    expect(await startedOften(records, cutOff), 'containers were started again').to.deep.equal([]);
    await churn.removeAll();
    const traces = async (): Promise<AgentTraces> => {
      const rootFolder = agent.rootFolder;
      const found = await readTraces({ containerd, runtime: driver.runtime, rootFolder, namespace });
      return withoutKept(found, driver, join(containerd.folder, 'containerd.log'));
    };
    await untilNone(async () => linesOf(await traces()), patience).catch(async (error) => {
      const logs = [await agent.log(), await readFile(join(containerd.folder, 'containerd.log'), 'utf8')];
      throw new Error([error.message, ...linesAbout(await traces(), logs)].join('\n'), { cause: error });
    });
    expect([...new Set(watch.twins)]).to.deep.equal([]);
    expect(await agent.stop()).to.equal(0);
    const table = await readFile('/proc/self/mounts', 'utf8');
    expect(table, 'the root folder is still mounted onto itself').to.not.include(` ${agent.rootFolder} `);
  });
});

interface ChurnOptions {
  readonly agent: AgentProgram;
  readonly random: RandomSource;
  readonly namespace: string;
  /** Folder in which each start of a container leaves a line. */
  readonly records: string;
}

/** Static pods that come, change and go. */
class Churn {
  readonly #options: ChurnOptions;
  /** What is wanted now: pods by name, with a version that no pod had before. */
  readonly #pods = new Map<string, { readonly version: number; readonly shape: (typeof shapes)[number] }>();
  #version = 0;

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  /** A pod that is left alone from then on. */
  addLasting(): Promise<void> {
    return this.#put('lasting', 'initialized');
  }

  /** Changes pods at some moments of a life of the agent. */
  async live(): Promise<void> {
    const { random } = this.#options;
    const endsAt = Date.now() + random.below(longestLifeMs);
    for (let changes = random.below(4); changes > 0; changes--) {
      await delay(random.below(Math.max(1, (endsAt - Date.now()) / changes)));
      await this.#change();
    }
    await delay(Math.max(0, endsAt - Date.now()));
  }

  async removeAll(): Promise<void> {
    for (const name of this.#pods.keys()) await this.#options.agent.removeManifest(name);
    this.#pods.clear();
  }

  /** What keeps the agent's pods from being what is wanted. */
  unsettled(pods: Awaited<ReturnType<AgentProgram['pods']>>): string[] {
    const expected = [...this.#pods].map(([name, { version, shape }]) => {
      return `${name}-node1 ${version} ${shape === 'job' ? 'Succeeded' : 'Running'}`;
    });
    const seen = pods.map(({ metadata, status }) => {
      // Of a job whose start was cut off with the agent the runtime says that it failed, and it is not started again.
      const isCutOff = status.containerStatuses?.some(
        ({ state }) => state.terminated?.reason === 'StartError',
      );
      const phase = status.phase === 'Failed' && isCutOff ? 'Succeeded' : status.phase;
      return `${metadata.name} ${metadata.labels?.version} ${phase}`;
    });
    const missing = expected.filter((each) => !seen.includes(each)).map((each) => `missing: ${each}`);
    return [...missing, ...seen.filter((each) => !expected.includes(each)).map((each) => `left: ${each}`)];
  }

  async #change(): Promise<void> {
    const { random, agent } = this.#options;
    const names = [...this.#pods.keys()].filter((name) => name !== 'lasting');
    const dice = random.below(10);
    if (names.length === 0 || (dice < 5 && names.length < mostPods)) {
      const free = Array.from({ length: mostPods }, (_, index) => `pod${index}`).filter(
        (name) => !names.includes(name),
      );
      await this.#put(random.pick(free), random.pick(shapes));
    } else if (dice < 7) {
      await this.#put(random.pick(names), random.pick(shapes));
    } else {
      const name = random.pick(names);
      this.#pods.delete(name);
      await agent.removeManifest(name);
    }
  }

  async #put(name: string, shape: (typeof shapes)[number]): Promise<void> {
    const version = ++this.#version;
    this.#pods.set(name, { version, shape });
    await this.#options.agent.putManifest(name, this.#manifest(name, version, shape));
  }

  #manifest(name: string, version: number, shape: (typeof shapes)[number]): object {
    const { namespace, records } = this.#options;
    const volumeMounts = [
      { name: 'records', mountPath: '/records' },
      { name: 'memory', mountPath: '/memory' },
    ];
    const container = (containerName: string, script: string): object =>
      shellContainer(
        containerName,
        `${writeId} >> /records/${name}.${version}.${shape}.${containerName}; ${script}`,
        {
          volumeMounts,
        },
      );
    const containers = {
      server: [container('one', untilAsked), container('two', untilAsked)],
      stubborn: [container('one', 'while :; do sleep 1000; done')],
      initialized: [container('one', untilAsked)],
      job: [container('one', 'sleep 0.2')],
    }[shape];
    const spec = {
      restartPolicy: shape === 'job' ? 'Never' : 'Always',
      volumes: [
        { name: 'records', hostPath: { path: records, type: 'Directory' } },
        { name: 'memory', emptyDir: { medium: 'Memory' } },
      ],
      // The test's own data: the types of manifests are those of pods.
      ...(shape === 'initialized'
        ? { initContainers: [container('first', 'true'), container('second', 'true')] as never }
        : {}),
    };
    return podManifest({ name, namespace, labels: { version: `${version}` }, spec }, containers);
  }
}

/** Ids of the running containers and ready sandboxes of a pod; undefined when it does not run. */
async function runningIds(
  { runtime }: ContainerRuntime,
  name: string,
): Promise<readonly string[] | undefined> {
  const filter = { labels: { [labels.podName]: `${name}-node1` } };
  const containers = (await runtime.listContainers(filter)).filter(({ state }) => state === 'running');
  const sandboxes = (await runtime.listPodSandboxes(filter)).filter(({ state }) => state === 'ready');
  const isRunning = containers.some(({ metadata }) => metadata.name === 'one');
  return isRunning ? [...sandboxes, ...containers].map(({ id }) => id).sort() : undefined;
}

/** Looks all the time for containers and sandboxes of which more than one runs. */
function watchForTwins({ runtime }: ContainerRuntime): AsyncDisposable & { readonly twins: string[] } {
  const twins: string[] = [];
  const end = new AbortController();
  const look = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const containers = (await runtime.listContainers()).filter(({ state }) => state === 'running');
      const sandboxes = (await runtime.listPodSandboxes()).filter(({ state }) => state === 'ready');
      const running = [
        ...containers.map((each) => ({ what: each.metadata.name, ...each })),
        ...sandboxes.map((each) => ({ what: 'sandbox', ...each })),
      ];
      for (const [name, all] of Map.groupBy(
        running,
        (each) => `${each.labels[labels.podName]} ${each.what}`,
      )) {
        if (all.length === 1) continue;
        twins.push(`${name}: ${all.map((each) => `${each.labels[labels.podUid]}/${each.metadata.attempt}`)}`);
      }
      await delay(samplePauseMs);
    }
  };
  const looking = look();
  return {
    twins,
    async [Symbol.asyncDispose]() {
      end.abort();
      await looking;
    },
  };
}

/**
 * Containers that left more than one line, with their ids as the runtime has them. A start that was cut off does not count:
 * the runtime says that it failed, and what is said to have failed is to be started again.
 */
async function startedOften(records: string, cutOff: ReadonlySet<string>): Promise<readonly string[]> {
  const names = await readdir(records);
  const lines = await Promise.all(
    names.map(async (name) => {
      const ids = (await readFile(join(records, name), 'utf8')).trim().split('\n');
      const starts = ids.filter((id) => !cutOff.has(id));
      return starts.length <= 1 ? [] : [`${name}: ${starts.join(' ')}`];
    }),
  );
  return lines.flat();
}

/**
 * Ids of containers that the runtime was just starting when the agent was killed: it gives up the calls of a client that is
 * gone, and kills what may run by then.
 */
async function startsCutOff(logPath: string): Promise<ReadonlySet<string>> {
  const failed = (await readFile(logPath, 'utf8')).matchAll(
    /StartContainer for \\"([0-9a-f]{64})\\" failed/g,
  );
  return new Set(Array.from(failed, ([, id = '']) => id));
}

/**
 * What is left but for sandboxes that the runtime cannot remove: where the agent was killed while a start asked for the pid of
 * a new task, containerd 1.6 says that the container has ended, keeps its task, and deletes neither until it is started again.
 */
async function withoutKept(
  traces: AgentTraces,
  { runtime }: ContainerRuntime,
  logPath: string,
): Promise<AgentTraces> {
  const refused = (await readFile(logPath, 'utf8')).matchAll(/cannot delete running task ([0-9a-f]{64})/g);
  const kept = new Set(Array.from(refused, ([, id = '']) => id));
  if (kept.size === 0) return traces;
  const all = await runtime.listContainers();
  const sandboxes = new Set(all.filter(({ id }) => kept.has(id)).map(({ podSandboxId }) => podSandboxId));
  const inKept = new Set(all.filter((each) => sandboxes.has(each.podSandboxId)).map(({ id }) => id));
  return {
    ...traces,
    sandboxes: traces.sandboxes.filter((id) => !sandboxes.has(id)),
    containers: traces.containers.filter((id) => !inKept.has(id)),
  };
}
