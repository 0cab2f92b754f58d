import { createTypeCatalog } from '../../src/apis/catalog.ts';
import { settledVersions, versionConversions } from '../../src/apis/conversions/index.ts';
import { parseCidr } from '../../src/apis/core/index.ts';
import { createDefaulter } from '../../src/apis/defaults/index.ts';
import {
  createFieldLabels,
  createFieldLayout,
  createFieldValues,
  fieldValuesByPrefix,
} from '../../src/apis/fields/index.ts';
import { kindRules, type UserInfo } from '../../src/apis/index.ts';
import { createResourceTable } from '../../src/apis/resources/index.ts';
import { standardFinalizers } from '../../src/apis/validation/index.ts';
import { takeSteps } from '../../src/base/index.ts';
import { createProtobufCompiler } from '../../src/machinery/codec/protobuf/index.ts';
import { orchDialect as dialect } from '../../src/machinery/dialect.ts';
import {
  parseFieldSelector,
  parseLabelSelector,
  resolveFieldSelector,
} from '../../src/machinery/selectors/index.ts';
import {
  type AdmissionChain,
  admitsAll,
  buildStores,
  createObject,
  type DeleteOptions,
  type DeleteResult,
  deleteObject,
  type ListQuery,
  type ListResult,
  listObjects,
  type Selection,
  type ServedKind,
  ServiceAllocator,
  type Stores,
  updateObject,
} from '../../src/registry/index.ts';
import { type DecodedObject, decodeWritten } from '../../src/registry/write/decoded-object.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openMemoryStorage } from '../../src/storage/memory/index.ts';
import { type FieldLayout, openWatchCache, type WatchCache } from '../../src/storage/watch-cache/index.ts';
import { ManualClock } from '../unit/storage/manual-clock.ts';
import type { JsonObject } from './api-client.ts';
import { defaultGates } from './default-gates.ts';
import { InterruptibleStorage } from './interruptible-storage.ts';

const root = '/registry/';
const catalog = createTypeCatalog(dialect);
const gates = defaultGates();
/** The resources of test registries: all that are known. */
export const table = createResourceTable({ dialect, gates, runtimeConfig: { 'api/all': 'true' } });
const readFields = fieldValuesByPrefix(table.resources, createFieldValues(dialect));
const fieldsOf = createFieldLabels(dialect);
const layout = createFieldLayout(dialect, table.resources);
const fieldLayout: FieldLayout = {
  locate: (prefix, field) => layout.locate(prefix.slice(root.length, -1), field),
  indexedFields: (prefix) => layout.indexedFields(prefix.slice(root.length, -1)),
};
const applyDefaults = createDefaulter({ dialect, catalog, gates });
const conversions = versionConversions(dialect, catalog);
const protobuf = createProtobufCompiler(catalog);

/** Who writes when a test does not say. */
export const alice: UserInfo = { name: 'alice', uid: 'alice-uid', groups: ['devs'], extra: {} };

/** The time at which test registries begin: 2021-02-03T04:05:06Z. */
const startMs = Date.UTC(2021, 1, 3, 4, 5, 6);

export interface TestRegistryOptions {
  readonly admission?: AdmissionChain;
  /** Addresses of services; the range of the recordings when left out. */
  readonly serviceRange?: string;
  readonly ports?: { readonly first: number; readonly last: number };
  /** Suffixes of generated names, in turn; the last one stays. */
  readonly nameSuffixes?: readonly string[];
  /** Whether owners of fields are recorded; they are not when left out. */
  readonly recordsOwners?: boolean;
  /** Storage that others use too; one of its own when left out. */
  readonly storage?: Storage;
  /** True when others write to the storage too. */
  readonly isShared?: boolean;
  /** Lifetimes by `group/resource`. */
  readonly ttlSeconds?: ReadonlyMap<string, number>;
  /** How long paged lists may take; for ever when left out. */
  readonly listLifetimeMs?: number;
  /** Names of resources that are read without a cache. */
  readonly uncached?: readonly string[];
}

/** What a test may say of a write. */
export interface WriteSettings {
  readonly namespace?: string;
  readonly isDryRun?: boolean;
}

/** Queries of lists as clients write them. */
export interface ListSettings extends Partial<ListQuery> {
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: string;
}

/** The verbs over the real kinds and storage in memory, with a clock that tests move and uids that count. */
export class TestRegistry implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly storage: InterruptibleStorage;
  readonly watchCache: WatchCache;
  readonly stores: Stores;
  readonly allocator: ServiceAllocator;
  #uids = 0;

  private constructor(
    parts: {
      readonly storage: InterruptibleStorage;
      readonly watchCache: WatchCache;
      readonly clock: ManualClock;
    },
    options: TestRegistryOptions,
  ) {
    const { storage, watchCache } = parts;
    this.clock = parts.clock;
    this.storage = storage;
    this.watchCache = watchCache;
    const addresses = parseCidr(options.serviceRange ?? '10.0.0.0/24');
    if (addresses === undefined) throw new RangeError('the service range is none');
    this.allocator = new ServiceAllocator({
      addresses,
      ports: options.ports ?? { first: 30000, last: 32767 },
      random: () => 0,
    });
    const suffixes = [...(options.nameSuffixes ?? ['bcdfg'])];
    this.stores = buildStores(table, {
      recordsOwners: options.recordsOwners ?? false,
      dialect,
      catalog,
      protobuf,
      rules: kindRules,
      storage,
      watchCache,
      admission: options.admission ?? admitsAll,
      environment: {
        nowMs: () => startMs + this.clock.nowMs(),
        newUid: () => `uid-${++this.#uids}`,
        newNameSuffix: () => (suffixes.length > 1 ? suffixes.shift() : suffixes[0]) ?? '',
        tokenKey: Buffer.from('the same for all'),
        listLifetimeMs: options.listLifetimeMs,
        isUncached: ({ resource }) => options.uncached?.includes(resource) === true,
        standardFinalizers: standardFinalizers(dialect),
        ruleContext: { dialect, catalog, gates, allowsPrivileged: true },
      },
      root,
      allocators: new Map([['/services', this.allocator]]),
      isShared: options.isShared,
      ttlSeconds: options.ttlSeconds,
      conversions,
      settled: settledVersions(dialect, catalog),
      applyDefaults,
    });
  }

  static async open(options: TestRegistryOptions = {}): Promise<TestRegistry> {
    const storage = new InterruptibleStorage(
      options.storage ?? openMemoryStorage({ clock: new ManualClock() }),
    );
    const selectableFields = (prefix: string, object: unknown) =>
      readFields(prefix.slice(root.length, -1), object);
    // One clock for the cache's patience and for the time that objects carry.
    const clock = new ManualClock();
    const watchCache = await openWatchCache({ storage, root, clock, selectableFields, fieldLayout });
    return new TestRegistry({ storage, watchCache, clock }, options);
  }

  /** A served kind by path: `v1/pods`, `apps/v1/deployments`. */
  served(path: string): ServedKind {
    const served = this.stores.served.get(path.split('/').length === 2 ? `/${path}` : path);
    if (served === undefined) throw new RangeError(`nothing is served at ${path}`);
    return served;
  }

  /** An object as a request's body brings it: decoded, defaults set. */
  decode(path: string, fields: JsonObject): DecodedObject {
    return takeSteps(decodeWritten(this.served(path), { kind: 'value', value: fields }));
  }

  /** Creates an object; answers what was stored, or would have been. */
  async create(path: string, fields: JsonObject, settings: WriteSettings = {}): Promise<JsonObject> {
    const { namespace = 'default', isDryRun = false } = settings;
    const served = this.served(path);
    const written = await createObject(served, {
      namespace: served.store.isNamespaced ? namespace : '',
      body: { kind: 'value', value: fields },
      manager: '',
      options: { user: alice, isDryRun },
    });
    return parse(written.bytes);
  }

  /** Changes a stored object in the served version by `change`; answers what was stored, or would have been. */
  async change(
    path: string,
    name: string,
    change: (object: JsonObject) => void,
    settings: WriteSettings & { readonly subresource?: string; readonly expectedUid?: string } = {},
  ): Promise<JsonObject> {
    const { namespace = 'default', isDryRun = false, subresource = '', expectedUid } = settings;
    const served = this.served(path);
    const result = await updateObject(served, {
      namespace: served.store.isNamespaced ? namespace : '',
      name,
      subresource,
      expectedUid,
      manager: '',
      change: {
        kind: 'edit',
        edit: (object) => {
          change(object);
          return this.decode(path, object);
        },
      },
      options: { user: alice, isDryRun },
    });
    return parse(result.bytes);
  }

  /** Deletes an object. */
  remove(
    path: string,
    name: string,
    deleteOptions: DeleteOptions = {},
    { namespace = 'default', isDryRun = false }: WriteSettings = {},
  ): Promise<DeleteResult> {
    const served = this.served(path);
    return deleteObject(served, {
      namespace: served.store.isNamespaced ? namespace : '',
      name,
      deleteOptions,
      options: { user: alice, isDryRun },
    });
  }

  /** The stored object, or undefined; it looks at the store itself. */
  async stored(path: string, name: string, namespace = 'default'): Promise<JsonObject | undefined> {
    const { store } = this.served(path);
    const key = store.isNamespaced ? `${store.keyPrefix}${namespace}/${name}` : `${store.keyPrefix}${name}`;
    const object = await this.storage.get(key);
    return object === undefined ? undefined : parse(object.bytes);
  }

  /** Selectors in the text that clients write. */
  select(path: string, { namespace = '', labels = '', fields = '' }: ListSettings = {}): Selection {
    const { kind } = this.served(path);
    return {
      namespace,
      labels: parseLabelSelector(labels),
      fields: resolveFieldSelector(parseFieldSelector(fields), fieldsOf(kind)),
    };
  }

  /** Lists objects. */
  list(path: string, settings: ListSettings = {}): Promise<ListResult> {
    const { resourceVersion = '', resourceVersionMatch = '', limit = 0, continueToken = '' } = settings;
    return listObjects(this.served(path).store, {
      ...this.select(path, settings),
      resourceVersion,
      resourceVersionMatch,
      limit,
      continueToken,
      isWatch: false,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.watchCache[Symbol.asyncDispose]();
    await this.storage[Symbol.asyncDispose]();
  }
}

/** The JSON of stored bytes. */
export function parse(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString()) as JsonObject; // only objects are stored
}

/** Names of listed objects, in order. */
export const namesOf = (result: ListResult): string[] =>
  result.objects.map(({ bytes }) => parse(bytes).metadata.name as string);
