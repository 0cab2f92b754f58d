import type { VersionConversion } from '../../apis/conversions/index.ts';
import type { CustomVersion } from '../../apis/customs/index.ts';
import type { KindRules } from '../../apis/kind-rules.ts';
import { encodeObject, sortObject } from '../../machinery/codec/index.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  type CompiledType,
  DecodeError,
  formatGroupVersion,
  type GroupVersionKind,
} from '../../machinery/schema/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { ObjectReader, ServedKind } from '../resource-store.ts';
import type { CustomStore } from './custom-store.ts';

/**
 * How long after a change of the definition the watches of before go on: one that was about to begin then is of before, too, and a
 * client begins none anew while it still gets the answer to its change. Source: release 1.20.
 */
const retirementMs = 1000;

/** One version of a custom resource. It follows the definition for as long as that has the version. */
export class CustomServed implements ServedKind {
  readonly store: CustomStore;
  /** Each version has a schema of its own. */
  readonly convertsLast = true;
  readonly kind: GroupVersionKind;
  readonly reader: ObjectReader;
  #version: CustomVersion;
  /** Tells the forms of an object apart that different generations of the definition give it. */
  #readerName: string;
  #retirement = new AbortController();

  constructor(store: CustomStore, version: CustomVersion) {
    const { group, version: name, kind } = version.info;
    this.store = store;
    this.kind = { group, version: name, kind };
    this.#version = version;
    this.#readerName = nameOfReader(store, version);
    const show: ObjectReader['show'] = (stored, cached) => this.#show(stored, cached);
    const served = this;
    this.reader = {
      get name() {
        return served.#readerName;
      },
      show,
    };
  }

  get retirement(): AbortSignal {
    return this.#retirement.signal;
  }

  get listKind(): string {
    return this.#version.info.listKind;
  }

  get type(): CompiledType {
    return this.#version.type;
  }

  /** What the stored version does not know is left out when it is stored, after all checks. */
  get rules(): KindRules {
    const { rules } = this.#version;
    const { storage } = this.store.kind;
    if (this.#version === storage || this.store.convertsRemotely) return rules;
    return { ...rules, canonicalize: (object) => storage.prune(object) };
  }

  /** Present where the version is not the stored one: it may know other members. */
  get conversion(): VersionConversion | undefined {
    const { store } = this;
    const { storage } = store.kind;
    const version = this.#version;
    if (version === storage && !store.convertsRemotely) return undefined;
    return {
      // Where versions differ in nothing but their name, what the stored one does not know is left out when it is read.
      toStorage(object) {
        if (store.convertsRemotely) store.convert(object, version, storage);
        return object;
      },
      fromStorage(object) {
        store.convert(object, storage, version);
        return object;
      },
    };
  }

  /** The definition has changed, and still has the version. */
  follow(version: CustomVersion): void {
    this.#version = version;
    this.#readerName = nameOfReader(this.store, version);
  }

  /** Ends the watches that the version has now, soon; others may follow. */
  retire(): void {
    const retiring = this.#retirement;
    this.#retirement = new AbortController();
    setTimeout(() => retiring.abort(), retirementMs).unref();
  }

  /** @throws StatusError 400 when metadata of an embedded object does not fit. */
  applyDefaults(object: ApiObject, { keepsNulls = false }: { readonly keepsNulls?: boolean } = {}): void {
    if (object.kind !== this.kind.kind) return;
    try {
      this.#version.settle(object, { dropsInvalid: false, keepsNulls });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const { kind, version } = this.kind;
      throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    }
  }

  #show(stored: Buffer, cached: CachedObject | undefined): Buffer {
    const { store } = this;
    const version = this.#version;
    const { storage } = store.kind;
    const { group, version: name } = this.kind;
    const apiVersion = formatGroupVersion(group, name);
    const mayBePlain = cached !== undefined && version === storage;
    const object = mayBePlain ? store.readUnlessPlain(cached) : store.read(stored);
    if (object === undefined) return sortObject(stored, apiVersion);
    store.convert(object, storage, version);
    const { type } = version;
    return sortObject(encodeObject(type.decodeShared?.(object) ?? type.canonicalize(object)), apiVersion);
  }
}

const nameOfReader = ({ kind }: CustomStore, { outline }: CustomVersion): string =>
  `${outline.name} of ${kind.outline.generation}`;
