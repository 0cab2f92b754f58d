import type { ContainerStats, RuntimeService } from '../runtime/index.ts';
import { hasLabels } from './container-labels.ts';
import { containerPath, type Engine, inspect, listOwn, orUndefined } from './engine.ts';
import type { ContainerDetails, UsageSample } from './engine-types.ts';
import { readContainer, readContainerSummary } from './read-container.ts';

/** The part of `RuntimeService` about CPU, memory and disk usage of containers. */
export type StatsCalls = Pick<RuntimeService, 'containerStats' | 'listContainerStats'>;

/** So many containers are asked about at the same time. */
const parallel = 8;
/** How long the size of what a container wrote is good for: the engine walks through all its files. */
const sizeKeptMs = 60_000;

interface Subject {
  readonly id: string;
  readonly metadata: ContainerStats['metadata'];
  readonly labels: ContainerStats['labels'];
  readonly annotations: ContainerStats['annotations'];
}

/** The calls about what containers use. */
export function createStatsCalls(engine: Engine): StatsCalls {
  const { connection, requestTimeoutMs: timeoutMs, marks } = engine;
  const sizes = new WrittenSizes(engine);

  async function measure(call: string, subject: Subject): Promise<ContainerStats | undefined> {
    const query = { stream: 'false', 'one-shot': 'true' };
    const path = containerPath(subject.id, 'stats');
    const [sample, written] = await Promise.all([
      orUndefined(connection.ask<UsageSample>({ call, method: 'GET', path, query, timeoutMs })),
      sizes.get(call, subject.id),
    ]);
    if (sample === undefined) return undefined;
    const { id, metadata, labels, annotations } = subject;
    const writableLayer = written && { ...written, mountpoint: '', inodesUsed: 0 };
    return { id, metadata, labels, annotations, ...readUsage(sample), writableLayer };
  }

  return {
    async containerStats(id) {
      const call = 'ContainerStats';
      const details = await inspect(engine, call, id);
      const container = details?.State.Running
        ? readContainer(details, { marks, image: { name: undefined, ref: '' } })
        : undefined;
      return container && (await measure(call, container));
    },
    async listContainerStats({ id, podSandboxId: sandboxId, labels } = {}) {
      const call = 'ListContainerStats';
      const summaries = await listOwn(engine, call, { type: 'container', id, sandboxId });
      const running = summaries
        .map((each) => readContainerSummary(each, marks))
        .filter((each) => each !== undefined)
        .filter((each) => each.state === 'running' && hasLabels(each.labels, labels));
      sizes.retain(new Set(summaries.map(({ Id }) => Id)));
      const stats: ContainerStats[] = [];
      const queue = running[Symbol.iterator]();
      const work = async (): Promise<void> => {
        for (const container of queue) {
          const measured = await measure(call, container);
          if (measured !== undefined) stats.push(measured);
        }
      };
      await Promise.all(Array.from({ length: parallel }, work));
      return stats;
    },
  };
}

/** The working set: memory in use without inactive file pages. */
function readUsage({ read, cpu_stats, memory_stats }: UsageSample): Pick<ContainerStats, 'cpu' | 'memory'> {
  const atMs = Date.parse(read);
  const usageCoreNs = cpu_stats?.cpu_usage?.total_usage;
  const { usage, stats = {} } = memory_stats ?? {};
  const inactive = stats.total_inactive_file ?? stats.inactive_file ?? 0;
  // For a container that has ended meanwhile, the engine sends the year 1.
  if (!(atMs > 0)) return { cpu: undefined, memory: undefined };
  return {
    cpu: usageCoreNs === undefined ? undefined : { atMs, usageCoreNs },
    memory: usage === undefined ? undefined : { atMs, workingSetBytes: Math.max(0, usage - inactive) },
  };
}

interface WrittenSize {
  readonly atMs: number;
  readonly usedBytes: number;
}

/** Sizes of what containers wrote, measured once in a while. */
class WrittenSizes {
  readonly #engine: Engine;
  readonly #known = new Map<string, WrittenSize>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async get(call: string, id: string): Promise<WrittenSize | undefined> {
    const { connection, requestTimeoutMs: timeoutMs, clock } = this.#engine;
    const known = this.#known.get(id);
    if (known !== undefined && clock.nowMs() - known.atMs < sizeKeptMs) return known;
    const path = containerPath(id, 'json');
    const request = { call, method: 'GET', path, query: { size: 1 }, timeoutMs } as const;
    const details = await orUndefined(connection.ask<ContainerDetails>(request));
    if (details?.SizeRw === undefined) return undefined;
    const size = { atMs: clock.nowMs(), usedBytes: details.SizeRw };
    this.#known.set(id, size);
    return size;
  }

  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
  }
}
