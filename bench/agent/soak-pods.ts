import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeService } from '../../src/nodeagent/runtime/index.ts';
import { podManifest, shellContainer, untilAsked } from '../../test/support/agent-pods.ts';
import type { AgentProgram } from '../../test/support/agent-program.ts';
import type { RandomSource } from '../../test/support/random-source.ts';

/** What pods churn on. */
export interface SoakPodsOptions {
  readonly agent: AgentProgram;
  readonly runtime: RuntimeService;
  readonly random: RandomSource;
  readonly namespace: string;
  /** Pods that there are at most. */
  readonly mostPods: number;
}

/** Time between two changes, on average. */
const meanPauseMs = 1_000;
/** A server with volumes, one that does not end when asked, one that crashes, one that is done. */
const shapes = ['server', 'stubborn', 'crashing', 'job'] as const;

/** Static pods that come, change, crash and go. */
export class SoakPods {
  readonly #options: SoakPodsOptions;
  readonly #names = new Set<string>();
  #version = 0;
  #changes = 0;

  constructor(options: SoakPodsOptions) {
    this.#options = options;
  }

  /** Changes made since the beginning. */
  get changes(): number {
    return this.#changes;
  }

  /** Changes pods until the time is over. */
  async churn(forMs: number): Promise<void> {
    const { random } = this.#options;
    for (const endsAt = Date.now() + forMs; Date.now() < endsAt; ) {
      await this.#change();
      this.#changes++;
      await delay(Math.min(random.below(2 * meanPauseMs), Math.max(0, endsAt - Date.now())));
    }
  }

  /** Wants none any more. */
  async removeAll(): Promise<void> {
    await this.#options.agent.removeManifests();
    this.#names.clear();
  }

  async #change(): Promise<void> {
    const { random, agent, mostPods } = this.#options;
    const names = [...this.#names];
    const dice = random.below(10);
    if (names.length === 0 || (dice < 5 && names.length < mostPods)) {
      const all = Array.from({ length: mostPods }, (_, index) => `pod${index}`);
      await this.#put(random.pick(all.filter((name) => !this.#names.has(name))), random.pick(shapes));
    } else if (dice < 7) {
      await this.#put(random.pick(names), random.pick(shapes));
    } else if (dice < 8) {
      await this.#killContainer();
    } else {
      const name = random.pick(names);
      this.#names.delete(name);
      await agent.removeManifest(name);
    }
  }

  /** Ends a container behind the agent's back. */
  async #killContainer(): Promise<void> {
    const { runtime, random } = this.#options;
    const running = (await runtime.listContainers()).filter(({ state }) => state === 'running');
    if (running.length === 0) return;
    // The agent may have removed it meanwhile, which is as good.
    await runtime.stopContainer(random.pick(running).id, { timeoutMs: 0 }).catch(() => {});
  }

  async #put(name: string, shape: (typeof shapes)[number]): Promise<void> {
    const { agent, namespace } = this.#options;
    this.#names.add(name);
    const script = {
      server: untilAsked,
      stubborn: 'while :; do sleep 1000; done',
      crashing: 'sleep 1; exit 1',
      job: 'sleep 1',
    }[shape];
    const volumeMounts = [
      { name: 'memory', mountPath: '/memory' },
      { name: 'scratch', mountPath: '/scratch' },
    ];
    const spec = {
      restartPolicy: shape === 'job' ? 'Never' : 'Always',
      volumes: [
        { name: 'memory', emptyDir: { medium: 'Memory' } },
        { name: 'scratch', emptyDir: {} },
      ],
    };
    const labels = { version: `${++this.#version}` };
    const probe = { exec: { command: ['true'] }, periodSeconds: 5 };
    const more = { volumeMounts, ...(shape === 'server' ? { readinessProbe: probe } : {}) };
    await agent.putManifest(
      name,
      podManifest({ name, namespace, labels, spec }, [shellContainer('one', script, more)]),
    );
  }
}
