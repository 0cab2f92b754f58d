/**
 * Groups that other servers serve: requests are passed on to the services that APIServices name, whose conditions say
 * whether they answer. Source: the aggregator of release 1.20.
 */
export { checkDiscovery } from './check-discovery.ts';
export { type Backend, decideConditions, findAvailability, findingOfCall } from './decide-availability.ts';
export { identifyUser } from './identity-headers.ts';
export {
  type AvailabilityOutcome,
  type AvailabilityStores,
  type KeepAvailabilityOptions,
  keepAvailability,
} from './keep-availability.ts';
export { type RemoteApi, RemoteApis, remoteApiOf } from './remote-apis.ts';
export { RemoteClient, type RemoteClientOptions } from './remote-client.ts';
export { RemoteDocuments, type RemoteDocumentsOptions } from './remote-documents.ts';
export { RemoteProxy, type RemoteProxyOptions } from './remote-proxy.ts';
