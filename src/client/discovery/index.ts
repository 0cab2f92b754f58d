/**
 * What a server serves: asked once, kept on disk for ten minutes, and searched by what users type. It knows nothing
 * of objects.
 */
export { createDiscoveryCache, type DiscoveryCache, type DiscoveryCacheOptions } from './cache.ts';
export { type FetchDiscoveryOptions, fetchDiscovery, type TaggedDiscovery } from './fetch.ts';
export type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';
export { createResourceMapper, type ResourceMapper } from './resource-mapper.ts';
