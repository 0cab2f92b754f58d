/**
 * The kind-neutral verbs: create, get, list, watch, update, delete and deletecollection over a storage driver and
 * its watch cache. A kind adds rules (`apis/kind-rules.ts`), nothing else. Knows nothing of HTTP.
 */
export {
  type AdmissionAttributes,
  type AdmissionChain,
  type AdmissionOperation,
  type AdmittedRequest,
  admitsAll,
  type DeleteOptions,
  type ObjectForms,
  type VersionedResource,
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
export type { CustomResource, CustomStores } from './customs/custom-stores.ts';
export { openDefinitions, type ServedDefinitions } from './customs/open-definitions.ts';
export { deleteObject } from './delete.ts';
export { type DeleteCollectionRequest, deleteCollection } from './delete-collection.ts';
export type { DeleteRequest, DeleteResult } from './delete-request.ts';
export { type CacheFollower, FollowedCache } from './followed-cache.ts';
export { type GetRequest, getObject } from './get.ts';
export { type ListRequest, type ListResult, listObjects, type Selection } from './list.ts';
export { type ListQuery, validateListQuery } from './list-options.ts';
export { type ObjectView, plainForms } from './object-forms.ts';
export { type ConvertRemotely, convertAll, withConversions } from './remote-conversions.ts';
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
export { serverManager, serverUser } from './server-user.ts';
export { translateStorageError } from './storage-errors.ts';
export { createStoredForms, type StoredFormsOptions } from './stored-forms.ts';
export {
  canonicalFromStorage,
  canonicalOf,
  fromStorageVersion,
  parseStored,
  toStorageVersion,
} from './versions.ts';
export {
  parseWatchStart,
  type WatchReceiver,
  type WatchRequest,
  type WatchStart,
  watchObjects,
} from './watch.ts';
export { type Body, type BodyDecoder, type BodyFormat, createBodyDecoder, sizeOfBody } from './write/body.ts';
export type { Change } from './write/change.ts';
export { type AppliedPatch, type ConfigurationRequest, compileConfiguration } from './write/configuration.ts';
export type { DecodedObject } from './write/decoded-object.ts';
export { dropDuplicateOwners } from './write/owner-references.ts';
export { recordNewOwners } from './write/owners.ts';
export { compilePatch, type Patch, type PatchContext, type PatchFormat } from './write/patch.ts';
export { checkNames } from './write/preconditions.ts';
export { paceSteps, restAfterStep } from './write/rest.ts';
export type { WrittenObject } from './write/store-writes.ts';
export type { UpdateResult } from './write/update.ts';
export { type CreateRequest, createObject, type UpdateRequest, updateObject } from './write/write-object.ts';
