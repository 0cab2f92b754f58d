import type { Steps } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { FieldError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { TypeCatalog } from '../machinery/schema/index.ts';

/** Who makes a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What rules may know beside the objects. Rules are pure: time and randomness come from here. */
export interface RuleContext {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
  /** Time of the request, RFC 3339 with whole seconds. */
  readonly now: string;
  readonly user: UserInfo;
  /** Value of `--allow-privileged`. */
  readonly allowsPrivileged: boolean;
  /**
   * Version of the request in the orch dialect (`v1`, `networking.orch.io/v1`). A few kinds word errors, or accept
   * more, by version. When left out it is the storage version.
   */
  readonly requestApiVersion?: string | undefined;
  /**
   * An update's old object is known to have had no errors by the rules for the whole object: what is as it was in it need not be
   * looked at again. Not known when left out.
   */
  readonly isOldValid?: boolean | undefined;
  /** Tells the client something, once. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Keys of `--runtime-config` that turn on what later releases have, and are on; none when left out. */
  readonly later?: ReadonlySet<string> | undefined;
  /** The kind of a resource that is served, custom ones too; unknown when left out. */
  readonly kindOf?: ((apiVersion: string, resource: string) => string | undefined) | undefined;
  /** The structural schema of a custom kind, as its definition has it. */
  readonly customSchemaOf?: ((apiVersion: string, kind: string) => unknown) | undefined;
}

/** Steps of one way to write an object: the whole object, or a subresource such as `status`. */
export interface WriteRules<T> {
  /**
   * PUT to a name that does not exist creates it (default false), by the rules of new objects. What a subresource creates is stored
   * without what is given out to others, such as addresses.
   */
  readonly allowsCreateOnUpdate?: boolean;
  /** Changes `object` before validation: restores what this way may not change, drops what is not supported. */
  prepareForUpdate?(object: T, old: T, context: RuleContext): void;
  /**
   * Field errors of what must stay as it was, for kinds where release 1.20 looks for them apart from all others (`kept` in
   * `apis/metadata-checks.json` says when).
   */
  validateKept?(object: T, old: T, context: RuleContext): FieldError[];
  /** All other field errors of an update, in release 1.20's order (object metadata is checked by the registry). */
  validateUpdate?(object: T, old: T, context: RuleContext): FieldError[];
  /**
   * Field errors that are looked for only where nothing else is wrong with an object, and that take too long for one go: between its
   * steps other requests go first. `old` is undefined for a new object. Undefined when there is nothing to look for.
   */
  validateSteps?(object: T, old: T | undefined, context: RuleContext): Steps<FieldError[]> | undefined;
}

/**
 * What is special about a kind, beside its data. Objects are in the storage version, in canonical form
 * (`machinery/schema/catalog.ts`), defaults already set.
 */
export interface KindRules<T = ApiObject> extends WriteRules<T> {
  /**
   * Says what is wrong with a name; with `isPrefix` the name is a `generateName`. No entries: fine. A few kinds say in their
   * objects how they must be called.
   */
  validateName(name: string, isPrefix: boolean, object: T): string[];
  /** Any qualified name will do as a finalizer (default: one without a domain must be a standard one). */
  readonly allowsAnyFinalizer?: boolean;
  /**
   * The metadata of new objects is looked at as that of any object only, and only where `validate` finds nothing wrong
   * (default: by the rules of the kind, before).
   */
  readonly checksMetadataLast?: boolean;
  /** Nobody records who owns fields of the kind (default false): the record is what requests say it is. */
  readonly keepsSentOwners?: boolean;
  /** Release 1.20 checks new objects of the kind twice, metadata included, so each error is there twice. */
  readonly isCheckedTwice?: boolean;
  /** True when `metadata.generation` starts at 1 and grows when anything but metadata and status changes. */
  readonly hasGeneration?: boolean;
  /** An amount is a text like others: the kind may hold any fields, and has none for amounts (default false). */
  readonly isUntyped?: boolean;
  /** With `hasGeneration`: it grows with fields too that `prepareForUpdate` drops (default false). */
  readonly countsDroppedFields?: boolean;
  /** True when there is a `status` that clients may write only through the subresource. */
  readonly hasStatus?: boolean;
  /** A new object without a name is called by a uid (default false). */
  readonly namesItself?: boolean;
  /** PUT without a resourceVersion is accepted (default true). */
  readonly allowsUnconditionalUpdate?: boolean;
  /**
   * A PUT of the whole object is checked before its resourceVersion is compared, and refused without one, beside its other causes
   * (default false).
   */
  readonly isCheckedWithoutVersion?: boolean;
  /**
   * Work on an object that its preparation and validation rely on, and that takes too long for one go: between its steps other
   * requests go first. What it makes is kept for as long as the object is. Undefined when there is none.
   */
  compileSteps?(object: T, old: T | undefined, context: RuleContext): Steps<void> | undefined;
  /** Sets what only the server may set, before validation. Status of kinds with `hasStatus` is emptied before it. */
  prepareForCreate?(object: T, context: RuleContext): void;
  /** All field errors of a new object, in release 1.20's order (object metadata is checked by the registry). */
  validate?(object: T, context: RuleContext): FieldError[];
  /** On update: clears, before `validateLast`, what other checks had to see. */
  prepareLast?(object: T, old: T): void;
  /** Field errors that are looked for only where nothing else is wrong with an object, its metadata included. */
  validateLast?(object: T, old: T | undefined, context: RuleContext): FieldError[];
  /** Last changes after validation, for example sorting. */
  canonicalize?(object: T): void;
  /**
   * Admission is told the new object in place of the old one after validation (default false): release 1.20 writes the one
   * into the other while it compares them.
   */
  readonly forgetsOldObject?: boolean;
  /** With `hasStatus`: a new object keeps the status that it comes with (nodes register with one). */
  readonly keepsStatusOnCreate?: boolean;
  /** The `status` subresource, for kinds with `hasStatus`. */
  readonly status?: WriteRules<T>;
  /**
   * Changes what a dry run of an update answers. Release 1.20 reads it over the old object, so that fields which the stored
   * version only converts where they are there stay from the old one.
   */
  showOverOld?(object: T, old: T, context: Pick<RuleContext, 'dialect'>): void;
  /** Other subresources that write the whole object, by name: `finalize`, `approval`, `ephemeralcontainers`. */
  readonly subresources?: Readonly<Record<string, WriteRules<T>>>;
  /** Group that error messages name, where it is not the storage kind's: kinds that moved keep their first one. */
  readonly messageGroup?: string;
  /**
   * What a deletion does with dependents when the request says nothing (default: background deletion). `Unsupported`: there
   * are none, whatever it says.
   */
  readonly defaultPropagationPolicy?: 'Orphan' | 'Unsupported';
  /**
   * Why an object of such a name, there or not, is not deleted; undefined when it may be. Deletions of collections do not ask, as in
   * release 1.20.
   */
  whyNotDeleted?(name: string): string | undefined;
  /** Objects cannot be had in the form of the `export` parameter (default false). */
  readonly refusesExport?: boolean;
  /**
   * What DELETE answers: the object, removed or not, or a Status, even while finalizers keep the object. By default a Status
   * once it is removed, and the object until then.
   */
  readonly answersDeletion?: 'object' | 'status';
  /** Resource (`group/version/resource`) of which the object of the same name goes with the first deletion of an object. */
  readonly companion?: string;
  /**
   * True when a deleted object without finalizers may go. By default when its grace period is 0. Kinds that say it have no
   * grace period, and are only marked by a first deletion: namespaces, which wait for `spec.finalizers` too, and definitions.
   */
  isReadyToRemove?(object: T): boolean;
  /**
   * Changes an object when its deletion starts, beside its metadata (namespaces become `Terminating`). It replaces members
   * of the object and of its metadata; what is in them is shared with the object before, and stays as it is.
   */
  prepareForDelete?(object: T, context: Pick<RuleContext, 'dialect' | 'now'>): void;
  /** Seconds that a deletion waits for an agent; 0 removes at once. Only pods have one. */
  gracePeriodSeconds?(object: T, requested: number | undefined): number;
}

/** Rules by storage kind: key `v1.Pod`, `apps/v1.Deployment` in the orch dialect. */
export type KindRulesTable = Readonly<Record<string, KindRules<never>>>;
