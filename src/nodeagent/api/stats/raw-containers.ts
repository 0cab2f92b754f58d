import { groupPath, type RawSample, rawSample, rawSpec } from './raw-container.ts';
import type { StatsSources } from './stats-sources.ts';

/** Which samples of a control group are requested. */
export interface RawQuery {
  /** At most so many, the newest; ignored when both times are given. */
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

/** How long samples are kept, as in release 1.20. */
const maxAgeMs = 120_000;
const maxSamples = 60;
/** Groups of which samples are kept, and groups that one answer shows. */
const maxGroups = 512;

/** A control group as it was measured last. */
interface KnownGroup {
  readonly atMs: number;
  readonly spec: unknown;
  /** Paths of the groups right below it. */
  readonly children: readonly string[];
  /** Oldest first. */
  readonly samples: readonly RawSample[];
}

/**
 * Figures of any control group of the machine (types: info.v1.ContainerInfo), measured when they are asked for, and no
 * oftener than once in `--housekeeping-interval`.
 */
export class RawContainers {
  readonly #sources: StatsSources;
  readonly #groups = new Map<string, KnownGroup>();

  constructor(sources: StatsSources) {
    this.#sources = sources;
  }

  /** Undefined when there is no such group. */
  async describe(name: string, query: RawQuery, reference: RawReference = {}): Promise<unknown> {
    const path = groupPath(name);
    const group = await this.#find(path);
    return group && describeGroup(path, group, { query, reference });
  }

  /** A group and all groups below it, by path. */
  async describeTree(name: string, query: RawQuery): Promise<Readonly<Record<string, unknown>>> {
    const found: Record<string, unknown> = {};
    const waiting = [groupPath(name)];
    for (let count = 0; count < maxGroups; count += 1) {
      const path = waiting.shift();
      if (path === undefined) break;
      const group = await this.#find(path);
      if (group === undefined) continue;
      found[path] = describeGroup(path, group, { query, reference: {} });
      waiting.push(...group.children);
    }
    return found;
  }

  async #find(path: string): Promise<KnownGroup | undefined> {
    const { config, clock } = this.#sources;
    const known = this.#groups.get(path);
    const ageMs = known === undefined ? -1 : clock.nowMs() - known.atMs;
    if (ageMs >= 0 && ageMs < config.housekeepingIntervalMs) return known;
    const group = await this.#measure(path, known?.samples ?? []);
    this.#groups.delete(path);
    if (group !== undefined) this.#groups.set(path, group);
    const [oldest] = this.#groups.keys();
    if (this.#groups.size > maxGroups && oldest !== undefined) this.#groups.delete(oldest);
    return group;
  }

  async #measure(path: string, before: readonly RawSample[]): Promise<KnownGroup | undefined> {
    const { cgroups } = this.#sources;
    const usage = await cgroups.read(path);
    if (usage === undefined) return undefined;
    const [spec, children, sample] = await Promise.all([
      rawSpec(this.#sources, path, usage),
      cgroups.children(path),
      rawSample(this.#sources, path, usage),
    ]);
    const young = before.filter(({ atMs }) => usage.atMs >= atMs && usage.atMs - atMs <= maxAgeMs);
    return { atMs: usage.atMs, spec, children, samples: [...young, sample].slice(-maxSamples) };
  }
}

function describeGroup(
  path: string,
  { spec, children, samples }: KnownGroup,
  { query, reference }: { readonly query: RawQuery; readonly reference: RawReference },
): unknown {
  const { id, aliases, namespace } = reference;
  return {
    ...(id === undefined ? {} : { id }),
    name: path,
    ...(aliases === undefined ? {} : { aliases }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(children.length === 0 ? {} : { subcontainers: children.map((each) => ({ name: each })) }),
    spec,
    stats: chooseSamples(samples, query).map(({ stats }) => stats),
  };
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
