import {
  cleanupFinalizer,
  decideStatus,
  decideTerminating,
  hasCondition,
  overlapsBuiltIn,
} from '../../apis/apiextensions/index.ts';
import type { DefinitionOutline } from '../../apis/customs/index.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '../../apis/types/apiextensions-v1beta1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatNow, type ServedKind } from '../resource-store.ts';
import { serverManager, serverUser } from '../server-user.ts';
import type { Change } from '../write/change.ts';
import { updateObject } from '../write/write-object.ts';
import type { CustomStores } from './custom-stores.ts';
import type { Definitions } from './definitions.ts';
import { deleteInstances } from './delete-instances.ts';
import { NameBook } from './held-names.ts';
import { KeyedWork } from './keyed-work.ts';
import type { VersionRegistrations } from './version-registrations.ts';

/** What the keeper of definitions works with. */
export interface DefinitionKeeperOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly definitions: Definitions;
  readonly customs: CustomStores;
  /** Definitions as they are served. */
  readonly served: ServedKind;
  readonly registrations: VersionRegistrations;
}

const concurrency = 16;
/** Schemas that were not used for so long, at most twice as long, are let go. */
const idleMs = 5 * 60_000;
const options = { user: serverUser, isDryRun: false };

/**
 * Keeps definitions: decides which names they hold and whether they are established, registers their versions, and deletes what
 * was made by those that are under deletion. What is to be done is decided in `apis/customs`.
 */
export class DefinitionKeeper implements AsyncDisposable {
  readonly #options: DefinitionKeeperOptions;
  readonly #names = new NameBook();
  readonly #ending = new AbortController();
  readonly #work: KeyedWork;

  constructor(options: DefinitionKeeperOptions) {
    this.#options = options;
    const { clock, logger } = options;
    const run = (name: string) => this.#keep(name);
    this.#work = new KeyedWork({ run, concurrency, clock, logger, signal: this.#ending.signal });
  }

  /** Looks at all definitions, and at each that changes from now on. */
  start(): void {
    const { definitions, registrations } = this.#options;
    for (const [name, outline] of definitions.outlines) this.#note(name, outline);
    registrations.start();
    definitions.listen((name, outline) => {
      this.#note(name, outline);
      this.#work.add(name);
    });
    for (const name of definitions.outlines.keys()) this.#work.add(name);
    void this.#forgetNowAndThen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.definitions.listen(() => {});
    this.#ending.abort();
    await this.#work.ended();
    await this.#options.registrations.end();
  }

  /** Compiled schemas go when nobody has used them for a while. */
  async #forgetNowAndThen(): Promise<void> {
    const { clock, customs } = this.#options;
    while (await pause(clock, idleMs, this.#ending.signal)) customs.forgetIdle();
  }

  #note(name: string, outline: DefinitionOutline | undefined): void {
    const { definitions, registrations } = this.#options;
    registrations.set(name, outline);
    const freed = this.#names.set(name, outline);
    if (freed === undefined) return;
    for (const [other, { group, hasConflict }] of definitions.outlines) {
      if (hasConflict && group === freed) this.#work.add(other);
    }
  }

  async #keep(name: string): Promise<void> {
    const definition = this.#options.definitions.get(name);
    if (definition === undefined) return;
    try {
      const { deletionTimestamp, finalizers } = definition.metadata;
      const isLeaving = finalizers?.includes(cleanupFinalizer(this.#options.dialect)) === true;
      if (!deletionTimestamp) await this.#settle(name, definition);
      else if (isLeaving) await this.#cleanUp(name, definition);
    } catch (error) {
      // It changed or went meanwhile, which is noticed.
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
    }
  }

  /** Brings the status up to date. Names are held from the decision on, so that nobody else is given them meanwhile. */
  async #settle(name: string, definition: CustomResourceDefinition): Promise<void> {
    const { group } = definition.spec;
    const status = decideStatus(definition, {
      dialect: this.#options.dialect,
      held: this.#names.of(group),
      now: this.#now(),
    });
    if (status === undefined) return;
    this.#names.set(name, { group, names: status.acceptedNames });
    try {
      await this.#write(name, { kind: 'patch', format: 'merge', bytes: statusPatch(definition, status) });
    } finally {
      this.#options.definitions.refresh(name);
      this.#names.set(name, this.#options.definitions.outlines.get(name));
    }
  }

  /** Deletes all objects, respecting their finalizers, then lets the definition go. */
  async #cleanUp(name: string, definition: CustomResourceDefinition): Promise<void> {
    const { customs, dialect } = this.#options;
    const { group, names } = definition.spec;
    const overlaps = overlapsBuiltIn({ group, resource: names.plural }, dialect);
    const isEstablished = hasCondition(definition, 'Established');
    if (isEstablished && !overlaps) {
      await this.#terminate(name, {
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      });
      const kind = customs.kindOf(name);
      const served = kind && customs.ofVersion(kind, kind.outline.storageVersion)?.served;
      if (served !== undefined) await deleteInstances(served, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
    }
    const outcome = outcomeOf(overlaps, isEstablished);
    await this.#terminate(name, { status: 'False', ...outcome }, { isLast: true });
  }

  async #terminate(
    name: string,
    condition: { readonly status: string; readonly reason: string; readonly message: string },
    { isLast = false } = {},
  ): Promise<void> {
    const finalizer = cleanupFinalizer(this.#options.dialect);
    await this.#write(name, {
      kind: 'edit',
      edit: (object) => {
        const status = decideTerminating(statusOf(object), condition, this.#now());
        const { finalizers = [] } = object.metadata;
        const kept = isLast ? finalizers.filter((each) => each !== finalizer) : finalizers;
        return { ...object, metadata: { ...object.metadata, finalizers: kept }, status };
      },
    });
  }

  async #write(name: string, change: Change): Promise<void> {
    const { served, dialect } = this.#options;
    const manager = serverManager(dialect);
    const place = { namespace: '', name, subresource: 'status', manager };
    // Of what is written as a status, only status and finalizers are the keeper's to change.
    await updateObject(served, {
      ...place,
      change,
      options,
      ...(change.kind === 'edit' ? { rules: {} } : {}),
    });
  }

  #now(): string {
    return formatNow(this.#options.clock.nowMs());
  }
}

/** What became of a definition's objects. */
function outcomeOf(overlaps: boolean, isEstablished: boolean): { reason: string; message: string } {
  if (overlaps) {
    const message = 'instances overlap with built-in resources in storage';
    return { reason: 'OverlappingBuiltInResource', message };
  }
  return isEstablished
    ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
    : { reason: 'NeverEstablished', message: 'resource was never established' };
}

/** Only definitions are written here. */
const statusOf = (object: object): CustomResourceDefinitionStatus =>
  (object as CustomResourceDefinition).status;

/** The status as a merge patch of just this version of the definition. Names that are gone are said to be. */
function statusPatch({ metadata }: CustomResourceDefinition, status: CustomResourceDefinitionStatus): Buffer {
  const { conditions, acceptedNames } = status;
  const { singular = null, shortNames = null, listKind = null, categories = null } = acceptedNames;
  return Buffer.from(
    JSON.stringify({
      metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      status: { conditions, acceptedNames: { ...acceptedNames, singular, shortNames, listKind, categories } },
    }),
  );
}
