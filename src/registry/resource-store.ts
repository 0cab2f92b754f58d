import type { VersionConversion } from '../apis/conversions/index.ts';
import type { KindRules, RuleContext, UserInfo } from '../apis/kind-rules.ts';
import type { KeyQueue, Steps, TurnQueue } from '../base/index.ts';
import type { FieldManager } from '../machinery/apply/index.ts';
import { badRequest, quoteGo } from '../machinery/errors/index.ts';
import { isPathSegmentName } from '../machinery/formats/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import {
  type CompiledType,
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
} from '../machinery/schema/index.ts';
import type { Storage } from '../storage/index.ts';
import type { CachedObject, ResourceCache, WatchCache } from '../storage/watch-cache/index.ts';
import type { AdmissionChain, AdmittedRequest } from './admission.ts';
import type { ContinueTokens } from './continue-token.ts';
import type { BodyDecoder } from './write/body.ts';
import type { StoredOwners } from './write/stored-owners.ts';

/** Hooks that allocate what must be unique in the cluster, for example service addresses. */
export interface Allocator {
  /**
   * Allocates what `object` needs and writes it into the object, before validation's end and the write.
   *
   * @throws StatusError when nothing is left or what was asked for is taken.
   */
  allocate(
    object: ApiObject,
    old: ApiObject | undefined,
    options: { readonly isDryRun: boolean },
  ): Promise<Allocation>;
  /** Frees everything that a removed object held. Never rejects. */
  release(object: ApiObject): Promise<void>;
}

/** The end of an allocation: exactly one of the two is called. Neither rejects. */
export interface Allocation {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Everything the verbs need to know about one stored resource; one per resource, shared by its served versions. */
export interface ResourceStore {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  /** Kind in the storage version. */
  readonly storageKind: GroupVersionKind;
  readonly storageType: CompiledType;
  /** Type of the metadata of its objects; undefined where objects are always encoded as a whole. */
  readonly metadataType?: CompiledType | undefined;
  readonly rules: KindRules;
  /** Key of the kind in tables: `v1.Pod`, `apps/v1.Deployment` in the orch dialect. */
  readonly kindKey: string;
  /** Key prefix of everything; begins the next. Both end with `/`. */
  readonly root: string;
  readonly keyPrefix: string;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly cache: ResourceCache;
  readonly admission: AdmissionChain;
  /** Decodes what is to be written. */
  readonly decodeBody: BodyDecoder;
  readonly allocator?: Allocator | undefined;
  /** The kind of which the object of the same name goes with the first deletion of an object; undefined for none. */
  readonly companion?: (() => ServedKind | undefined) | undefined;
  /** Keeps the record of who owns which fields; undefined where that is turned off. */
  readonly fieldManager?: FieldManager | undefined;
  /** Reads what is stored, where it is about to be changed. */
  readonly storedOwners: Pick<StoredOwners, 'decode' | 'read'>;
  /**
   * Sets the defaults of the storage version in place, as release 1.20 does whenever it reads what it stored: what a write
   * left out, or a rule took away, comes back with its default.
   */
  applyDefaults(object: ApiObject): void;
  /**
   * What is known already of the bytes of an object that is about to be stored; called with the cached object that has them
   * then. The object is not kept.
   */
  foresee?(object: ApiObject): ((stored: CachedObject) => void) | undefined;
  readonly environment: RegistryEnvironment;
  /** Writes that lost a race for their key take turns here. */
  readonly contended: KeyQueue;
  /** All versions in which its objects are served, in order of preference. */
  versions(): readonly ServedKind[];
  /** Whether versions are converted by a webhook: `withConversions` waits for it. Not when left out. */
  readonly convertsRemotely?: boolean;
  /**
   * Bytes of a stored value in Protobuf, which is what release 1.20 stores and what its limits count. Undefined for kinds
   * that it stores as JSON, and where the JSON itself goes to a store with limits of its own.
   */
  readonly protobufSizeOf?: ((value: Buffer) => Steps<number>) | undefined;
  /** Of paged lists. */
  readonly tokens: ContinueTokens;
  /**
   * Waits until the cache shows every write that was acknowledged before the call, by whichever process. Undefined
   * where this process is the only writer: there the cache always does.
   */
  readonly freshen?: (() => Promise<void>) | undefined;
  /** Objects go by themselves so many seconds after their last write; they stay when left out. */
  readonly ttlSeconds?: number | undefined;
}

/** What all stores share. */
export interface RegistryEnvironment {
  readonly nowMs: () => number;
  readonly newUid: () => string;
  /** Five characters for a generated name. */
  readonly newNameSuffix: () => string;
  /** Secret that signs the tokens of paged lists; servers that share it go on with each other's lists. Random if absent. */
  readonly tokenKey?: Buffer | undefined;
  /** Paged lists that began longer ago cannot be gone on with, whether anything changed or not; always when left out. */
  readonly listLifetimeMs?: number | undefined;
  /** Which resources are read from the store always, never from a cache that may be behind it; none when left out. */
  readonly isUncached?: ((resource: GroupResource) => boolean) | undefined;
  /** Size of the largest write that the store is asked for; what the store itself takes when left out. */
  readonly maxStoredBytes?: number | undefined;
  /** Finalizers without a domain that built-in kinds may carry. */
  readonly standardFinalizers: ReadonlySet<string>;
  readonly ruleContext: Omit<RuleContext, 'now' | 'user' | 'warn' | 'requestApiVersion'>;
}

/** One served version of a stored resource. */
export interface ServedKind {
  readonly store: ResourceStore;
  readonly kind: GroupVersionKind;
  readonly listKind: string;
  readonly type: CompiledType;
  /** Rules of this version's objects in the storage version; those of the store, but where versions differ. */
  readonly rules: KindRules;
  /** Admission and rules see objects of this version, and not of the stored one. Not when left out. */
  readonly convertsLast?: boolean;
  /** Absent when versions differ only in `apiVersion`. */
  readonly conversion?: VersionConversion | undefined;
  /** As `settledVersions` (`apis/conversions`) has it; undefined where nothing is added, dropped or rewritten. */
  readonly settle?: ((object: ApiObject) => ApiObject) | undefined;
  /** How stored objects are shown, where that takes more than the above. */
  readonly reader?: ObjectReader | undefined;
  /** Aborts when this version is served no more, though its objects are still there; never when left out. */
  readonly retirement?: AbortSignal;
  /**
   * Sets the defaults of this version, in place. Nulls where there may be none go, where the kind's version says so, unless
   * they are to be refused.
   */
  applyDefaults(object: ApiObject, settings?: { readonly keepsNulls: boolean }): void;
}

/** Makes what clients of a version see of stored objects. */
export interface ObjectReader {
  /** Names what is made of an object: another name, another text. */
  readonly name: string;
  /** JSON for clients; sooner made when the cached object that has the bytes is given too. */
  show(stored: Buffer, cached?: CachedObject): Buffer;
}

/** Who writes, and how. */
export interface WriteOptions {
  readonly user: UserInfo;
  readonly isDryRun: boolean;
  /** Tells the client what it should not have sent, though the write succeeds. */
  readonly warn?: ((text: string) => void) | undefined;
  /** The client's request; undefined for what the server writes by itself. */
  readonly request?: AdmittedRequest | undefined;
  /** Where the write of a large object rests between its steps; it does not where this is left out. */
  readonly turns?: TurnQueue | undefined;
}

/** A fresh tree of a stored object, which the caller may change. `T` is the storage type of its resource. */
export function decodeStored<T extends ApiObject = ApiObject>(object: CachedObject): T {
  // Only canonical objects of its type are ever written below a resource's prefix.
  return object.decode() as T;
}

/**
 * Storage key of the object that a request names.
 *
 * @throws StatusError 400 for no name, and for what cannot be a segment of a path, and so no object's name.
 */
export function keyOfRequest(store: ResourceStore, { namespace, name }: ObjectPlace): string {
  if (name === '') throw badRequest('Name parameter required.');
  if (unfit.test(name)) {
    throw badRequest(`Name parameter invalid: ${quoteGo(name)}: ${isPathSegmentName(name).join(';')}`);
  }
  return keyOf(store, namespace, name);
}

/** Where a request's object is; `namespace` is empty for cluster-scoped kinds. */
interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

const unfit = /^\.\.?$|[/%]/;

/** Storage key of an object. */
export function keyOf(store: ResourceStore, namespace: string, name: string): string {
  return store.isNamespaced ? `${store.keyPrefix}${namespace}/${name}` : `${store.keyPrefix}${name}`;
}

/** How messages name the resource of a request: by the group that the client used. */
export function groupResourceOf(served: ServedKind): GroupResource {
  return { group: served.kind.group, resource: served.store.resource };
}

/** Whole seconds, UTC, as metadata times are written. */
export function formatNow(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== last.second)
    last = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  return last.text;
}

/** Remembered, as many writes happen within one second. */
let last = { second: Number.NaN, text: '' };

/** What rules are told about this request. */
export function ruleContextOf(
  { store, kind }: ServedKind,
  { user, warn }: Pick<WriteOptions, 'user' | 'warn'>,
): RuleContext {
  const { ruleContext, nowMs } = store.environment;
  const requestApiVersion = ruleContext.dialect.unspell(formatGroupVersion(kind.group, kind.version));
  return { ...ruleContext, now: formatNow(nowMs()), user, warn, requestApiVersion };
}
