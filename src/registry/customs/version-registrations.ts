import { isDeepStrictEqual } from 'node:util';
import type { DefinitionOutline } from '../../apis/customs/index.ts';
import { customRank } from '../../apis/resources/index.ts';
import type { APIServiceSpec } from '../../apis/types/apiregistration-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { CacheWatch } from '../../storage/watch-cache/index.ts';
import { deleteObject } from '../delete.ts';
import { decodeStored, keyOf, type ServedKind } from '../resource-store.ts';
import { serverManager, serverUser } from '../server-user.ts';
import { createObject, updateObject } from '../write/write-object.ts';
import { KeyedWork } from './keyed-work.ts';

/** What registrations are kept with. */
export interface VersionRegistrationsOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** API services, as they are served. */
  readonly served: ServedKind;
  /** Resolves when what other servers of the store wrote of definitions before is known here; undefined when there are none. */
  readonly freshenDefinitions: (() => Promise<void>) | undefined;
}

const concurrency = 4;
const options = { user: serverUser, isDryRun: false };

/**
 * Keeps an API service for each group version that definitions serve, as it should be whoever deletes or changes it, and removes
 * its own ones when none does. Those without its label are left alone.
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
  #watch: CacheWatch | undefined;

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

  /** Makes what is missing and removes what is left over, now and whenever somebody writes one. */
  start(): void {
    this.#isStarted = true;
    this.#follow();
  }

  /** Ends the work. */
  async end(): Promise<void> {
    this.#ending.abort();
    this.#watch?.close();
    await this.#work.ended();
  }

  #follow(): void {
    const { cache, keyPrefix } = this.#options.served.store;
    this.#watch = cache.watch(
      { prefix: keyPrefix, afterRevision: 'state' },
      {
        onEvent: ({ object }) => this.#work.add(object.key.slice(keyPrefix.length)),
        onError: (error) => {
          // Events were lost: all are looked at anew.
          if (error.code !== 'closed') this.#follow();
        },
      },
    );
    for (const name of this.#counts.keys()) this.#work.add(name);
  }

  #count(name: string, change: 1 | -1): void {
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }

  async #settle(name: string): Promise<void> {
    const { served, freshenDefinitions } = this.#options;
    const { store } = served;
    const stored = store.cache.get(keyOf(store, '', name));
    if (stored === undefined) return this.#counts.has(name) ? this.#create(name) : undefined;
    const object = decodeStored(stored);
    if (!this.#isOwn(object)) return;
    if (this.#counts.has(name)) return isAsSpecified(object, name) ? undefined : this.#restore(name);
    // Another server of the same store may have made it for a definition that is not known here yet.
    await freshenDefinitions?.();
    if (!this.#counts.has(name)) await this.#remove(name, object.metadata.uid);
  }

  #isOwn({ metadata }: ApiObject): boolean {
    return metadata.labels?.[this.#label] === 'true';
  }

  async #create(name: string): Promise<void> {
    const { served, dialect } = this.#options;
    const value = {
      kind: served.kind.kind,
      apiVersion: formatGroupVersion(served.kind.group, served.kind.version),
      metadata: { name, labels: { [this.#label]: 'true' } },
      spec: specOf(name),
    };
    try {
      const body = { kind: 'value', value } as const;
      await createObject(served, { namespace: '', body, manager: serverManager(dialect), options });
    } catch (error) {
      // Another server of the same store was faster.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  async #restore(name: string): Promise<void> {
    const { served, dialect } = this.#options;
    const edit = (object: ApiObject): ApiObject =>
      this.#isOwn(object) ? Object.assign(object, { spec: specOf(name) }) : object;
    const change = { kind: 'edit', edit } as const;
    const manager = serverManager(dialect);
    await unlessGone(
      updateObject(served, { namespace: '', name, subresource: '', change, manager, options }),
    );
  }

  async #remove(name: string, uid: string | undefined): Promise<void> {
    const deleteOptions = { preconditions: { uid } };
    await unlessGone(deleteObject(this.#options.served, { namespace: '', name, deleteOptions, options }));
  }
}

/** What the API service of that name says of a group version of definitions. */
function specOf(name: string): APIServiceSpec {
  const dot = name.indexOf('.');
  return { group: name.slice(dot + 1), version: name.slice(0, dot), ...customRank };
}

function isAsSpecified(object: ApiObject, name: string): boolean {
  return 'spec' in object && isDeepStrictEqual(object.spec, specOf(name));
}

/** What came in between is told by the watch. */
async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
  }
}
