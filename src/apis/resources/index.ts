/**
 * The built-in resource types: which are served (with `--runtime-config`), how they are stored, and the
 * discovery documents made of them. Resources that are made at run time (custom, aggregated) are not in the
 * table; the document functions take them as well. Source: discovery of release 1.20.
 */
export {
  type AggregatedSources,
  type ApiResourceDiscovery,
  type ApiSubresourceDiscovery,
  encodeGroups,
  type ResourceFragments,
  toResourceDiscovery,
} from './aggregated-discovery.ts';
export { type LocalApiServiceSpec, listServicePaths, localApiServices } from './api-services.ts';
export type { Deprecation } from './deprecations.ts';
export {
  type ApiGroup,
  type ApiGroupDocument,
  type ApiGroupList,
  type ApiResource,
  type ApiResourceList,
  type ApiVersions,
  type GroupVersionForDiscovery,
  type ServerAddressByClientCidr,
  toApiGroup,
  toApiGroupDocument,
  toApiGroupList,
  toApiResourceList,
  toApiResources,
  toApiVersions,
  toRootPaths,
} from './discovery.ts';
export {
  buildDiscovery,
  type ChangingKind,
  type ChangingResources,
  type Discovery,
  type DiscoveryOptions,
  type RemoteVersions,
} from './discovery-documents.ts';
export { customRank, type RankedVersion } from './group-order.ts';
export { loadResources } from './resource-data.ts';
export { createResourceTable, type ResourceTable, type ResourceTableOptions } from './resource-table.ts';
export { parseRuntimeConfig, type RuntimeConfig, RuntimeConfigError } from './runtime-config.ts';
export type { ScalePaths, ServedGroup, ServedResource, ServedSubresource } from './served-resource.ts';
export { computeStorageVersionHash } from './storage-version-hash.ts';
export {
  type FindLoss,
  resolveStorageVersions,
  StorageVersionsError,
  type StorageVersionsOptions,
} from './storage-versions.ts';
export {
  type Lifecycle,
  lifecycleOf,
  loadVersionHistory,
  type VersionHistory,
} from './version-history.ts';
