import type { CustomKind, CustomVersion } from '../../apis/customs/index.ts';
import type { KindRules } from '../../apis/kind-rules.ts';
import { isJsonObject, KeyQueue, parseExact } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonEqual, PatchError } from '../../machinery/patch/index.ts';
import {
  type CompiledType,
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from '../../machinery/schema/index.ts';
import type { CachedObject, ResourceCache } from '../../storage/watch-cache/index.ts';
import type { RemoteConversions } from '../remote-conversions.ts';
import { decodeStored, type ResourceStore } from '../resource-store.ts';
import type { StoredObject, StoredOwners } from '../write/stored-owners.ts';

/** What all stores have in common. */
export type SharedParts = Pick<
  ResourceStore,
  | 'admission'
  | 'decodeBody'
  | 'environment'
  | 'fieldManager'
  | 'freshen'
  | 'root'
  | 'storage'
  | 'tokens'
  | 'watchCache'
> & {
  /** By webhooks. */
  readonly conversions: RemoteConversions;
  /** Of stored objects that are read as they are. */
  readonly storedOwners: StoredOwners;
};

/**
 * The store of one custom resource. It lives as long as its definition does, and follows what the definition says: objects are
 * read by the schema of the version that they are stored in, as it is now.
 */
export class CustomStore implements ResourceStore {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly kindKey: string;
  readonly root: string;
  readonly keyPrefix: string;
  readonly storage: ResourceStore['storage'];
  readonly watchCache: ResourceStore['watchCache'];
  readonly cache: ResourceCache;
  readonly admission: ResourceStore['admission'];
  readonly decodeBody: ResourceStore['decodeBody'];
  readonly fieldManager: ResourceStore['fieldManager'];
  readonly storedOwners: ResourceStore['storedOwners'];
  readonly environment: ResourceStore['environment'];
  readonly contended = new KeyQueue();
  readonly tokens: ResourceStore['tokens'];
  readonly freshen: ResourceStore['freshen'];
  readonly versions: ResourceStore['versions'];
  readonly #conversions: RemoteConversions;
  readonly #owners: StoredOwners;
  /** The version whose objects are read just as they are stored, for each stored object that was found to be so. */
  readonly #plain = new WeakMap<CachedObject, CustomVersion>();
  #kind: CustomKind;

  /** `versions` gives what clients can ask for now. */
  constructor(kind: CustomKind, parts: SharedParts, versions: ResourceStore['versions']) {
    this.versions = versions;
    this.#conversions = parts.conversions;
    this.#owners = parts.storedOwners;
    const { name, group, names, isNamespaced } = kind.outline;
    this.#kind = kind;
    this.group = group;
    this.resource = names.plural;
    this.isNamespaced = isNamespaced;
    this.kindKey = name;
    this.root = parts.root;
    this.keyPrefix = `${parts.root}${group}/${names.plural}/`;
    this.storage = parts.storage;
    this.watchCache = parts.watchCache;
    this.admission = parts.admission;
    this.decodeBody = parts.decodeBody;
    this.fieldManager = parts.fieldManager;
    this.environment = parts.environment;
    this.tokens = parts.tokens;
    this.freshen = parts.freshen;
    this.cache = parts.watchCache.resource(this.keyPrefix, (bytes) => this.read(bytes));
    const read = (stored: CachedObject) => this.#readToWrite(stored);
    this.storedOwners = { decode: (stored) => read(stored).old, read };
  }

  /** The definition as it is now. */
  get kind(): CustomKind {
    return this.#kind;
  }

  get storageKind(): GroupVersionKind {
    return this.#kind.storage.info;
  }

  get storageType(): CompiledType {
    return this.#kind.storage.type;
  }

  get metadataType(): CompiledType {
    return this.#kind.storage.metadataType;
  }

  get rules(): KindRules {
    return this.#kind.storage.rules;
  }

  /** Nothing: defaults are set whenever an object is read. */
  applyDefaults(): void {}

  /** The definition has changed. */
  follow(kind: CustomKind): void {
    this.#kind = kind;
  }

  /**
   * A stored value in the storage version: with the defaults of the version that it was stored in, without what either does
   * not know.
   *
   * @throws SyntaxError or DecodeError for what is no object of the API; nothing else.
   */
  read(bytes: Buffer): ApiObject {
    return this.#readValue(parseExact(bytes.toString()));
  }

  /**
   * The same for a cached object, unless it is plain: what this process wrote, where reading by the definition as it is now
   * gives just what the bytes say. That is so of most objects, and found out once for each version of one.
   */
  readUnlessPlain(stored: CachedObject): ApiObject | undefined {
    if (this.#isKnownPlain(stored)) return undefined;
    if (!stored.isCanonical || this.convertsRemotely) return this.read(stored.bytes);
    const value = parseExact(stored.bytes.toString());
    if (this.#isPlain(value)) {
      this.#plain.set(stored, this.#kind.storage);
      return undefined;
    }
    const object = this.#readValue(value);
    if (!isSame(value, object)) return object;
    this.#plain.set(stored, this.#kind.storage);
    return undefined;
  }

  /**
   * What this process is about to store of an object: when its bytes are plain, that need not be found out by reading them.
   * The function is called with the cached object that has them.
   */
  foresee(object: ApiObject): ((stored: CachedObject) => void) | undefined {
    if (this.convertsRemotely || !this.#isPlain(object)) return undefined;
    const { storage } = this.#kind;
    return (stored) => void this.#plain.set(stored, storage);
  }

  /** Whether reading an object of the storage version in canonical form, whatever its metadata, is known to change nothing. */
  #isPlain(object: unknown): boolean {
    const { storage } = this.#kind;
    if (!isJsonObject(object)) return false;
    const { apiVersion, kind, metadata } = object;
    if (!isJsonObject(metadata) || !metadata.generation) return false;
    const { group, version, kind: name } = storage.info;
    return kind === name && apiVersion === formatGroupVersion(group, version) && storage.isSettled(object);
  }

  #isKnownPlain(stored: CachedObject): boolean {
    return this.#plain.get(stored) === this.#kind.storage && !this.convertsRemotely;
  }

  /** What an object is depends on the definition, not on its bytes alone. */
  #readToWrite(stored: CachedObject): StoredObject {
    if (this.#isKnownPlain(stored)) return this.#owners.read(stored);
    return { stored, old: decodeStored(stored), place: undefined };
  }

  #readValue(value: unknown): ApiObject {
    const kind = this.#kind;
    const stored = versionOf(kind, value) ?? kind.storage;
    const object = stored.decodeLeniently(value);
    stored.settle(object, { dropsInvalid: true });
    object.kind = stored.info.kind;
    // Very old releases stored none.
    object.metadata.generation ||= 1;
    // What a webhook converts is converted where somebody can wait for it.
    if (this.convertsRemotely) object.apiVersion = formatGroupVersion(this.group, stored.info.version);
    else this.convert(object, stored, kind.storage);
    return object;
  }

  /** Whether versions differ in what only a webhook knows. */
  get convertsRemotely(): boolean {
    return this.#kind.outline.conversion !== 'None';
  }

  /**
   * Makes an object of one version one of another, in place.
   *
   * @throws PendingConversion when the webhook must be asked first.
   */
  convert(object: ApiObject, from: CustomVersion, to: CustomVersion): void {
    const is = this.convertsRemotely ? (versionOf(this.#kind, object) ?? from) : from;
    if (is !== to && this.convertsRemotely) {
      this.#conversions.convert(this.#kind, object, is, to);
      return;
    }
    object.apiVersion = formatGroupVersion(this.group, to.info.version);
    if (is !== to) to.prune(object);
  }
}

/** The version in which a value was stored, if the definition still has it. */
function versionOf(kind: CustomKind, value: unknown): CustomVersion | undefined {
  const apiVersion = isJsonObject(value) && typeof value.apiVersion === 'string' ? value.apiVersion : '';
  return kind.version(parseGroupVersion(apiVersion)?.version ?? '');
}

/** Whether two trees are the same; not known of such as nest too deep to be compared. */
function isSame(value: unknown, other: unknown): boolean {
  try {
    return jsonEqual(value, other);
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}
