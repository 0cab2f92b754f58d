import type { StatsSources } from './agent-stats.ts';
import { groupPath, type RawSample, rawSample, rawSpec } from './raw-container.ts';

/** Which of the samples of a control group are wanted. */
export interface RawQuery {
  /** At most so many, the newest; not heeded when both times are given. */
  readonly count: number;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** What a control group is called, and what is in it, besides its figures. */
export interface RawReference {
  readonly id?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
}

/** Samples live as long as those of the reference. */
const maxAgeMs = 120_000;
const maxSamples = 60;
/** Groups of which samples are kept, and groups that one answer shows. */
const maxGroups = 512;

/** Figures of any control group of the machine (types: info.v1.ContainerInfo), measured when they are asked for. */
export class RawContainers {
  readonly #sources: StatsSources;
  readonly #samples = new Map<string, readonly RawSample[]>();

  constructor(sources: StatsSources) {
    this.#sources = sources;
  }

  /** Undefined when there is no such group. */
  async describe(name: string, query: RawQuery, reference: RawReference = {}): Promise<unknown> {
    const path = groupPath(name);
    const usage = await this.#sources.cgroups.read(path);
    if (usage === undefined) {
      this.#samples.delete(path);
      return undefined;
    }
    const [spec, children] = await Promise.all([
      rawSpec(this.#sources, path, usage),
      this.#sources.cgroups.children(path),
    ]);
    const samples = await this.#measure(path, usage);
    return {
      ...(reference.id === undefined ? {} : { id: reference.id }),
      name: path,
      ...(reference.aliases === undefined ? {} : { aliases: reference.aliases }),
      ...(reference.namespace === undefined ? {} : { namespace: reference.namespace }),
      ...(children.length === 0 ? {} : { subcontainers: children.map((each) => ({ name: each })) }),
      spec,
      stats: chooseSamples(samples, query).map(({ stats }) => stats),
    };
  }

  /** A group and all groups below it, by path. */
  async describeTree(name: string, query: RawQuery): Promise<Readonly<Record<string, unknown>>> {
    const found: Record<string, unknown> = {};
    const waiting = [groupPath(name)];
    for (let count = 0; count < maxGroups; count += 1) {
      const path = waiting.shift();
      if (path === undefined) break;
      const info = await this.describe(path, query);
      if (info === undefined) continue;
      found[path] = info;
      waiting.push(...(await this.#sources.cgroups.children(path)));
    }
    return found;
  }

  /** Adds a sample, unless the newest is still young enough. */
  async #measure(path: string, usage: Parameters<typeof rawSample>[2]): Promise<readonly RawSample[]> {
    const { config } = this.#sources;
    const known = (this.#samples.get(path) ?? []).filter(
      ({ atMs }) => usage.atMs >= atMs && usage.atMs - atMs <= maxAgeMs,
    );
    const newest = known.at(-1);
    const isYoung = newest !== undefined && usage.atMs - newest.atMs < config.housekeepingIntervalMs;
    const samples = isYoung
      ? known
      : [...known, await rawSample(this.#sources, path, usage)].slice(-maxSamples);
    this.#samples.delete(path);
    this.#samples.set(path, samples);
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > maxGroups && oldest !== undefined) this.#samples.delete(oldest);
    return samples;
  }
}

/** The samples that a query asks for, oldest first. */
export function chooseSamples(
  samples: readonly RawSample[],
  { count, startMs, endMs }: RawQuery,
): readonly RawSample[] {
  const within = samples.filter(
    ({ atMs }) => (startMs === undefined || atMs >= startMs) && (endMs === undefined || atMs <= endMs),
  );
  if (startMs !== undefined && endMs !== undefined) return within;
  return count < 0 ? within : within.slice(Math.max(0, within.length - count));
}
