/**
 * The kind-neutral verbs: create, get, list, watch, update, delete and deletecollection over a storage driver and
 * its watch cache. A kind adds rules (`apis/kind-rules.ts`), nothing else. Knows nothing of HTTP.
 */
export {
  type AdmissionAttributes,
  type AdmissionChain,
  type AdmissionOperation,
  admitsAll,
} from './admission.ts';
export {
  ServiceAllocator,
  type ServiceAllocatorOptions,
  type ServicePools,
} from './allocation/service-allocator.ts';
export {
  createSharedServicePools,
  type SharedServicePools,
  type SharedServicePoolsOptions,
} from './allocation/shared-service-pools.ts';
export { buildStores, kindKey, type StoreSources, type Stores, storageKinds } from './build-stores.ts';
export { type CreateRequest, createObject } from './create.ts';
export {
  type DeleteOptions,
  type DeleteRequest,
  type DeleteResult,
  deleteObject,
  foregroundFinalizer,
  orphanFinalizer,
} from './delete.ts';
export { type DeleteCollectionRequest, deleteCollection } from './delete-collection.ts';
export {
  applyConfiguration,
  type Configuration,
  type OwnedWrite,
  recordNewOwners,
  recordOwners,
} from './field-owners.ts';
export { type GetRequest, getObject } from './get.ts';
export { type ListRequest, type ListResult, listObjects, type Selection } from './list.ts';
export { type ListQuery, validateListQuery } from './list-options.ts';
export { checkNames } from './preconditions.ts';
export {
  type Allocation,
  type Allocator,
  decodeStored,
  formatNow,
  keyOf,
  type RegistryEnvironment,
  type ResourceStore,
  ruleContextOf,
  type ServedKind,
  type WriteOptions,
} from './resource-store.ts';
export { serverUser } from './server-user.ts';
export { translateStorageError } from './storage-errors.ts';
export { createStoredForms, type StoredFormsOptions } from './stored-forms.ts';
export {
  type CreateInstead,
  type CurrentObject,
  type Transform,
  type UpdateRequest,
  type UpdateResult,
  updateObject,
} from './update.ts';
export { canonicalFromStorage, fromStorageVersion, toStorageVersion } from './versions.ts';
export {
  parseWatchStart,
  type WatchReceiver,
  type WatchRequest,
  type WatchStart,
  watchObjects,
} from './watch.ts';
export type { WrittenObject } from './write.ts';
