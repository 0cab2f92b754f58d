/**
 * Client configuration (`kind: Config`): where its files lie, how they are read, merged and written, and how a
 * context becomes a connection. It opens no connection.
 */
export { type ConfigEdit, type ConfigSection, editClientConfigFile } from './edit.ts';
export { type InClusterInputs, resolveInCluster } from './in-cluster.ts';
export { loadClientConfig, readClientConfigFile } from './load.ts';
export {
  type ConfigLocations,
  type LocationInputs,
  locateAnyClientConfig,
  locateClientConfig,
} from './locations.ts';
export { mergeClientConfigs } from './merge.ts';
export {
  type AuthProviderEntry,
  type ClientConfig,
  ClientConfigError,
  type ClusterEntry,
  type ContextEntry,
  type ExecEntry,
  emptyClientConfig,
  type UserEntry,
} from './model.ts';
export {
  type ConnectionOverrides,
  type ResolvedContext,
  resolveConnection,
  resolveContext,
} from './resolve.ts';
export { saveClientConfig } from './save.ts';
export { decodeClientConfig, encodeClientConfig } from './wire.ts';
