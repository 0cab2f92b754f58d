/**
 * What a server serves: asked in two requests where it has documents for that, kept on disk for ten minutes and after that for as
 * long as the server says that it holds, and searched by what users type. It knows nothing of objects.
 */
export { createDiscoveryCache, type DiscoveryCache, type DiscoveryCacheOptions } from './cache.ts';
export { type FetchDiscoveryOptions, fetchDiscovery, type TaggedDiscovery } from './fetch.ts';
export type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';
export { createResourceMapper, type ResourceMapper } from './resource-mapper.ts';
