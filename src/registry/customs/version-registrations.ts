import type { DefinitionOutline } from '../../apis/customs/index.ts';
import { customRank } from '../../apis/resources/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { deleteObject } from '../delete.ts';
import { decodeStored, keyOf, type ServedKind } from '../resource-store.ts';
import { serverManager, serverUser } from '../server-user.ts';
import { createObject } from '../write/write-object.ts';
import { KeyedWork } from './keyed-work.ts';

/** What registrations are kept with. */
export interface VersionRegistrationsOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** API services, as they are served. */
  readonly served: ServedKind;
}

const concurrency = 4;
const options = { user: serverUser, isDryRun: false };

/**
 * Keeps an API service for each group version that definitions serve, and removes its own ones when none does. Those that others
 * made are left alone.
 */
export class VersionRegistrations {
  readonly #options: VersionRegistrationsOptions;
  readonly #label: string;
  readonly #ending = new AbortController();
  readonly #work: KeyedWork;
  /** Definitions that serve a version, by the name of its registration. */
  readonly #counts = new Map<string, number>();
  readonly #versions = new Map<string, readonly string[]>();
  #isStarted = false;

  constructor(sources: VersionRegistrationsOptions) {
    this.#options = sources;
    const { dialect, clock, logger } = sources;
    this.#label = dialect.spell('orch-aggregator.orch.io/automanaged');
    const run = (name: string) => this.#settle(name);
    this.#work = new KeyedWork({ run, concurrency, clock, logger, signal: this.#ending.signal });
  }

  /** Notes the versions that a definition serves now; none when it is gone. */
  set(definition: string, outline: DefinitionOutline | undefined): void {
    const before = this.#versions.get(definition) ?? [];
    const now = (outline?.versions ?? [])
      .filter(({ isServed }) => isServed)
      .map(({ name }) => `${name}.${outline?.group}`);
    if (outline === undefined) this.#versions.delete(definition);
    else this.#versions.set(definition, now);
    for (const name of now) this.#count(name, 1);
    for (const name of before) this.#count(name, -1);
    if (!this.#isStarted) return;
    for (const name of new Set([...before, ...now]))
      if (before.includes(name) !== now.includes(name)) this.#work.add(name);
  }

  /** Makes what is missing and removes what is left over from before. */
  start(): void {
    this.#isStarted = true;
    const { cache, keyPrefix } = this.#options.served.store;
    for (const key of cache.objects.keys()) this.#work.add(key.slice(keyPrefix.length));
    for (const name of this.#counts.keys()) this.#work.add(name);
  }

  /** Ends the work. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#work.ended();
  }

  #count(name: string, change: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }

  async #settle(name: string): Promise<void> {
    const { served } = this.#options;
    const stored = served.store.cache.get(keyOf(served.store, '', name));
    const isOwn = stored !== undefined && decodeStored(stored).metadata.labels?.[this.#label] === 'true';
    const isWanted = this.#counts.has(name);
    if (isWanted && stored === undefined) await this.#create(name);
    else if (!isWanted && isOwn) await this.#remove(name);
  }

  async #create(name: string): Promise<void> {
    const { served, dialect } = this.#options;
    const dot = name.indexOf('.');
    const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
    const value = {
      kind: served.kind.kind,
      apiVersion: formatGroupVersion(served.kind.group, served.kind.version),
      metadata: { name, labels: { [this.#label]: 'true' } },
      spec: { group, version, ...customRank },
    };
    try {
      const body = { kind: 'value', value } as const;
      await createObject(served, { namespace: '', body, manager: serverManager(dialect), options });
    } catch (error) {
      // Another server of the same store was faster.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  async #remove(name: string): Promise<void> {
    try {
      await deleteObject(this.#options.served, { namespace: '', name, deleteOptions: {}, options });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
