import { randomBytes } from 'node:crypto';
import { createKindComparison, type VersionConversion } from '../apis/conversions/index.ts';
import { CustomDirectory } from '../apis/customs/index.ts';
import type { KindRules, KindRulesTable } from '../apis/kind-rules.ts';
import type { ResourceTable, ServedResource } from '../apis/resources/index.ts';
import { KeyQueue } from '../base/index.ts';
import type { FieldManager } from '../machinery/apply/index.ts';
import type { ProtobufCompiler } from '../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { internalError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import {
  type CompiledType,
  formatGroupVersion,
  type GroupVersionKind,
  type TypeCatalog,
} from '../machinery/schema/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import type { AdmissionChain, ObjectForms, VersionedResource } from './admission.ts';
import { type ContinueTokens, createContinueTokens } from './continue-token.ts';
import { CustomStores } from './customs/custom-stores.ts';
import { waitFor } from './list.ts';
import { plainForms } from './object-forms.ts';
import { type ConvertRemotely, RemoteConversions } from './remote-conversions.ts';
import type { Allocator, RegistryEnvironment, ResourceStore, ServedKind } from './resource-store.ts';
import { parseStored } from './versions.ts';
import { type BodyDecoder, createBodyDecoder } from './write/body.ts';
import { createOwnerRecords } from './write/owners.ts';
import { StoredOwners } from './write/stored-owners.ts';

/** What stores are made of. */
export interface StoreSources {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** The custom kinds that are served now. */
  readonly customs?: CustomDirectory | undefined;
  /** Of bodies in Protobuf. */
  readonly protobuf: ProtobufCompiler;
  readonly rules: KindRulesTable;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly admission: AdmissionChain;
  readonly environment: RegistryEnvironment;
  /** Key prefix of everything, ends with `/`. */
  readonly root: string;
  /** Allocators by `group/resource`. */
  readonly allocators: ReadonlyMap<string, Allocator>;
  /** True when other processes write to the same storage. */
  readonly isShared?: boolean | undefined;
  /** Lifetimes of objects by `group/resource`, in seconds; all others stay. */
  readonly ttlSeconds?: ReadonlyMap<string, number> | undefined;
  /** Whether objects say who owns which of their fields, and can be applied. */
  readonly recordsOwners: boolean;
  /** Conversions of kinds whose versions differ in shape, by `group/version.Kind` in the orch dialect. */
  readonly conversions: ReadonlyMap<string, VersionConversion>;
  /** How objects of some versions come back from release 1.20's own form, by the same keys. */
  readonly settled: ReadonlyMap<string, (object: ApiObject) => ApiObject>;
  /** Conversions of custom resources by webhooks; none are called when left out. */
  readonly convertRemotely?: ConvertRemotely | undefined;
  /** Sets the defaults of a kind in place; named by catalog key in the orch dialect. */
  applyDefaults(typeName: string, object: object): void;
}

/** The stores of a resource table, and each served version on its store. */
export interface Stores {
  /** By `group/resource` of the storage. */
  readonly stores: ReadonlyMap<string, ResourceStore>;
  /** By `group/version/resource`. Resources that store nothing are left out. */
  readonly served: ReadonlyMap<string, ServedKind>;
  /** Keeps the record of who owns which fields, also of what is not stored; undefined where that is turned off. */
  readonly fieldManager: FieldManager | undefined;
  /** Has its say in all writes, also of what is not stored. */
  readonly admission: AdmissionChain;
  /** The forms of a resource that stores nothing, in all its versions. */
  readonly virtualForms: (resource: ServedResource) => ObjectForms;
  /** Decodes bodies, also of what is not stored. */
  readonly decodeBody: BodyDecoder;
  /** Resources that come and go with their definitions. */
  readonly customs: CustomStores;
}

/** Key of a kind in data and rules: `v1.Pod`, `apps/v1.Deployment`, in the orch dialect. */
export function kindKey(dialect: Dialect, { group, version, kind }: GroupVersionKind): string {
  return dialect.unspell(`${formatGroupVersion(group, version)}.${kind}`);
}

/** The stored kinds of a resource table, by the prefix of their keys. */
export function storageKinds(table: ResourceTable, root: string): ReadonlyMap<string, GroupVersionKind> {
  const kinds = new Map<string, GroupVersionKind>();
  for (const { storage, storePrefix } of table.resources) {
    if (storage !== undefined && storePrefix !== undefined) kinds.set(prefixOf(root, storePrefix), storage);
  }
  return kinds;
}

const prefixOf = (root: string, storePrefix: string): string => `${root}${storePrefix}/`;

const tokenKeyBytes = 32;

const noWebhooks: ConvertRemotely = () => Promise.reject(internalError('webhooks are not called here'));

/** Makes one store for each stored resource of the table; versions of a resource share it. */
export function buildStores(table: ResourceTable, sources: StoreSources): Stores {
  const { environment, dialect } = sources;
  const tokens = createContinueTokens({
    metaGroup: dialect.group('meta'),
    key: environment.tokenKey ?? randomBytes(tokenKeyBytes),
  });
  const stores = new Map<string, ResourceStore>();
  const byPrefix = new Map<string, ResourceStore>();
  const served = new Map<string, ServedKind>();
  const versions = new Map<string, ServedKind[]>();
  const fieldManager = sources.recordsOwners
    ? createOwnerRecords({
        ...sources,
        served,
        findCustom: (apiVersion, kind) => customs.ofKind(apiVersion, kind),
      })
    : undefined;
  const isSameKind = createKindComparison(dialect, sources.catalog);
  const storedOwners = new StoredOwners();
  const decodeBody = createBodyDecoder({ ...sources, isSameKind });
  for (const resource of table.resources) {
    const { storage, storePrefix } = resource;
    if (storage === undefined || storePrefix === undefined) continue;
    let store = byPrefix.get(storePrefix);
    const ofStore = versions.get(storePrefix) ?? [];
    if (store === undefined) {
      versions.set(storePrefix, ofStore);
      store = buildStore(resource, storage, storePrefix, {
        ...sources,
        tokens,
        fieldManager,
        decodeBody,
        storedOwners,
        versions: () => ofStore,
        find: (key) => served.get(key),
      });
      byPrefix.set(storePrefix, store);
    }
    stores.set(`${resource.group}/${resource.resource}`, store);
    const version = buildServed(resource, store, sources);
    served.set(`${resource.group}/${resource.version}/${resource.resource}`, version);
    ofStore.push(version);
  }
  const freshen = sources.isShared === true ? () => showAll(sources.storage, sources.watchCache) : undefined;
  const customs = new CustomStores({
    ...sources,
    customs: sources.customs ?? new CustomDirectory(),
    conversions: new RemoteConversions(sources.convertRemotely ?? noWebhooks),
    tokens,
    fieldManager,
    decodeBody,
    storedOwners,
    freshen,
  });
  const virtualForms = createVirtualForms(table, sources);
  return { stores, served, fieldManager, admission: sources.admission, decodeBody, customs, virtualForms };
}

/** Each is made when it is first asked for. */
function createVirtualForms(
  { resources }: ResourceTable,
  { dialect, catalog, conversions }: StoreSources,
): Stores['virtualForms'] {
  const made = new Map<ServedResource, ObjectForms>();
  const conversionOf = (kind: GroupVersionKind) => conversions.get(kindKey(dialect, kind));
  const versionOf = ({ group, version, kind, resource }: ServedResource): VersionedResource => ({
    group,
    version,
    resource,
    kind: { group, version, kind },
  });
  return (info) => {
    const known = made.get(info);
    if (known !== undefined) return known;
    const others = resources.filter(
      (one) => one.group === info.group && one.resource === info.resource && one.version !== info.version,
    );
    const sources = { dialect, catalog, conversionOf };
    const forms = plainForms([versionOf(info), ...others.map(versionOf)], sources);
    made.set(info, forms);
    return forms;
  };
}

/** Built-in kinds that release 1.20 stores as JSON: those of its servers of definitions and registrations. */
const storedAsJson = /^(?:apiextensions|apiregistration)\.orch\.io\//;

function buildStore(
  resource: ServedResource,
  storageKind: GroupVersionKind,
  storePrefix: string,
  sources: StoreSources & {
    readonly tokens: ContinueTokens;
    readonly fieldManager: FieldManager | undefined;
    readonly decodeBody: BodyDecoder;
    readonly storedOwners: StoredOwners;
    readonly versions: ResourceStore['versions'];
    readonly find: (key: string) => ServedKind | undefined;
  },
): ResourceStore {
  const { dialect, catalog, rules, storage, watchCache, admission, environment, root } = sources;
  const key = kindKey(dialect, storageKind);
  const storageType = catalog.kind(storageKind);
  const kindRules = rules[key];
  if (storageType === undefined || kindRules === undefined) {
    throw new RangeError(`no ${storageType === undefined ? 'type' : 'rules'} for the stored kind ${key}`);
  }
  const keyPrefix = prefixOf(root, storePrefix);
  const { companion } = kindRules;
  return {
    group: resource.group,
    resource: resource.resource,
    isNamespaced: resource.namespaced,
    storageKind,
    storageType,
    metadataType: metadataTypeOf(storageType, catalog),
    // Rules are written for their own kind; the store hands them objects of just that kind.
    rules: kindRules as unknown as KindRules,
    kindKey: key,
    root,
    keyPrefix,
    storage,
    watchCache,
    cache: watchCache.resource(keyPrefix),
    admission,
    allocator: sources.allocators.get(`${resource.group}/${resource.resource}`),
    companion: companion === undefined ? undefined : () => sources.find(companion),
    environment,
    contended: new KeyQueue(),
    decodeBody: sources.decodeBody,
    storedOwners: sources.storedOwners,
    versions: sources.versions,
    applyDefaults: (object) => sources.applyDefaults(storageType.name, object),
    fieldManager: sources.fieldManager,
    tokens: sources.tokens,
    freshen: sources.isShared === true ? () => showAll(storage, watchCache) : undefined,
    ttlSeconds: sources.ttlSeconds?.get(`${resource.group}/${resource.resource}`),
    protobufSizeOf:
      sources.isShared === true || storedAsJson.test(key)
        ? undefined
        : function* (value) {
            const object = parseStored(value);
            yield;
            return sources.protobuf.kind(storageKind).encodeFramed(object).length;
          },
  };
}

/** @throws RangeError for a type that is none of a kind */
function metadataTypeOf({ name, fields }: CompiledType, catalog: TypeCatalog): CompiledType {
  const field = fields.find((candidate) => candidate.name === 'metadata');
  if (field === undefined) throw new RangeError(`${name} has no metadata`);
  return catalog.type(field.type);
}

/** @throws StatusError 504 when the cache does not follow; StorageError when the store does not answer. */
async function showAll(storage: Storage, watchCache: WatchCache): Promise<void> {
  await waitFor({ watchCache }, await storage.currentRevision());
}

function buildServed(resource: ServedResource, store: ResourceStore, sources: StoreSources): ServedKind {
  const { dialect, catalog } = sources;
  const { group, version, kind } = resource;
  const type = catalog.kind(resource);
  if (type === undefined) throw new RangeError(`no type for the served kind ${kindKey(dialect, resource)}`);
  const typeName = type.name;
  return {
    store,
    rules: store.rules,
    // Messages name the resource by the group of the request, which differs for kinds that moved between groups.
    kind: { group, version, kind },
    listKind: resource.listKind,
    type,
    conversion: sources.conversions.get(kindKey(dialect, resource)),
    settle: sources.settled.get(kindKey(dialect, resource)),
    applyDefaults: (object) => sources.applyDefaults(typeName, object),
  };
}
