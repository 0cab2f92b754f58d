import type { ServeConfig } from '../config/serve/index.ts';
import type { GroupResource } from '../machinery/schema/index.ts';

type CacheConfig = Pick<ServeConfig, 'watchCache' | 'watchCacheSizes'>;

/**
 * Which resources release 1.20 reads from its store always: events, those whose cache has the size 0 (`pods#0`,
 * `deployments.apps#0`), and without `--watch-cache` all.
 */
export function uncachedResources({
  watchCache,
  watchCacheSizes,
}: CacheConfig): (of: GroupResource) => boolean {
  if (!watchCache) return () => true;
  const sizes = new Map(watchCacheSizes.map(parseSize));
  return ({ group, resource }) =>
    resource === 'events' || sizes.get(group === '' ? resource : `${resource}.${group}`) === 0;
}

function parseSize(text: string): [resource: string, size: number] {
  const [resource = '', size] = text.split('#');
  return [resource, Number(size)];
}
