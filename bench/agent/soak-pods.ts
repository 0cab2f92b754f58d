import { setTimeout as delay } from 'node:timers/promises';
import type { RuntimeService } from '../../src/nodeagent/runtime/index.ts';
import { podManifest, shellContainer, untilAsked } from '../../test/support/agent-pods.ts';
import type { RandomSource } from '../../test/support/random-source.ts';
import type { PodPlace } from './soak-places.ts';

/** What pods churn on. */
export interface SoakPodsOptions {
  readonly places: readonly PodPlace[];
  readonly runtime: RuntimeService;
  readonly random: RandomSource;
  readonly namespace: string;
  /** Pods that there are at most, as many in each place. */
  readonly mostPods: number;
}

/** Time between two changes, on average. */
const meanPauseMs = 2_000;

/**
 * A server with volumes, one that does not end when asked, one that crashes, one that is done, and one that writes more
 * than its volume may hold, for which it is evicted unless its place is a manifest.
 */
const scripts = {
  server: untilAsked,
  stubborn: 'while :; do sleep 1000; done',
  crashing: 'sleep 1; exit 1',
  job: 'sleep 1',
  greedy: `dd if=/dev/zero of=/scratch/more bs=1M count=3 2>/dev/null; ${untilAsked}`,
} as const;
type Shape = keyof typeof scripts;
const shapes = ['server', 'stubborn', 'crashing', 'job', 'greedy'] as const satisfies readonly Shape[];

/** Pods that come, change, crash and go. */
export class SoakPods {
  readonly #options: SoakPodsOptions;
  readonly #places = new Map<string, PodPlace>();
  readonly #wanted = new Set<string>();
  #version = 0;
  #changes = 0;

  constructor(options: SoakPodsOptions) {
    this.#options = options;
    const { places, mostPods } = options;
    for (let index = 0; index < mostPods; index++) {
      const place = places[index % places.length];
      if (place !== undefined) this.#places.set(`${place.prefix}${index}`, place);
    }
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
    for (const place of this.#options.places) await place.removeAll();
    this.#wanted.clear();
  }

  async #change(): Promise<void> {
    const { random, mostPods } = this.#options;
    const names = [...this.#wanted];
    const dice = random.below(10);
    if (names.length === 0 || (dice < 6 && names.length < mostPods)) {
      const free = [...this.#places.keys()].filter((name) => !this.#wanted.has(name));
      await this.#put(random.pick(free), random.pick(shapes));
    } else if (dice < 8) {
      await this.#put(random.pick(names), random.pick(shapes));
    } else if (dice < 9) {
      await this.#killContainer();
    } else {
      const name = random.pick(names);
      this.#wanted.delete(name);
      await this.#places.get(name)?.remove(name);
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

  async #put(name: string, shape: Shape): Promise<void> {
    const { namespace } = this.#options;
    this.#wanted.add(name);
    const volumeMounts = [
      { name: 'memory', mountPath: '/memory' },
      { name: 'scratch', mountPath: '/scratch' },
    ];
    const spec = {
      restartPolicy: shape === 'job' ? 'Never' : 'Always',
      volumes: [
        { name: 'memory', emptyDir: { medium: 'Memory' } },
        { name: 'scratch', emptyDir: shape === 'greedy' ? { sizeLimit: '1Mi' } : {} },
      ],
    };
    const labels = { version: `${++this.#version}` };
    const probe = { exec: { command: ['true'] }, periodSeconds: 5 };
    const more = { volumeMounts, ...(shape === 'server' ? { readinessProbe: probe } : {}) };
    const container = shellContainer('one', scripts[shape], more);
    await this.#places.get(name)?.put(name, podManifest({ name, namespace, labels, spec }, [container]));
  }
}
