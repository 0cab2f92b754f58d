import type { CustomKind, CustomVersion } from '../../apis/customs/index.ts';
import type { KindRules } from '../../apis/kind-rules.ts';
import { isJsonObject, parseExact } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  type CompiledType,
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from '../../machinery/schema/index.ts';
import type { CachedObject, ResourceCache } from '../../storage/watch-cache/index.ts';
import type { RemoteConversions } from '../remote-conversions.ts';
import { decodeStored, type ResourceStore } from '../resource-store.ts';

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
  readonly tokens: ResourceStore['tokens'];
  readonly freshen: ResourceStore['freshen'];
  readonly versions: ResourceStore['versions'];
  readonly #conversions: RemoteConversions;
  #kind: CustomKind;

  /** `versions` gives what clients can ask for now. */
  constructor(kind: CustomKind, parts: SharedParts, versions: ResourceStore['versions']) {
    this.versions = versions;
    this.#conversions = parts.conversions;
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
    // What an object is depends on the definition, not on its bytes alone.
    const read = (stored: CachedObject) => ({ stored, old: decodeStored(stored), place: undefined });
    this.storedOwners = { decode: decodeStored, read };
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
    const value = parseExact(bytes.toString());
    const kind = this.#kind;
    const stored = versionOf(kind, value) ?? kind.storage;
    const object = stored.decodeLeniently(value);
    stored.settle(object, { dropsInvalid: true });
    object.kind = stored.info.kind;
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
