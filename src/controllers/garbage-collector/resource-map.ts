import type { DiscoveredResource, Discovery } from '../../client/discovery/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { preferredResources } from '../deletable-resources.ts';

/** The resource of each kind in each served version, as owner references name kinds. */
export function mapKinds({ resources }: Discovery): ReadonlyMap<string, DiscoveredResource> {
  const kinds = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const key = kindKey(formatGroupVersion(resource.group, resource.version), resource.kind);
    if (!kinds.has(key) && resource.verbs.includes('get')) kinds.set(key, resource);
  }
  return kinds;
}

export const kindKey = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

/** Resources whose objects the collector follows. Events own nothing, are many and end by themselves. */
export function followedResources(discovery: Discovery): DiscoveredResource[] {
  return preferredResources(discovery, ['delete', 'list', 'watch']).filter(({ name }) => name !== 'events');
}

/** Which monitors to start and to stop. Resources of a group version that could not be read stay as they are. */
export function planMonitors(
  current: ReadonlyMap<string, DiscoveredResource>,
  discovery: Discovery,
): { readonly start: readonly DiscoveredResource[]; readonly stop: readonly string[] } {
  const wanted = new Map(followedResources(discovery).map((resource) => [resourceKey(resource), resource]));
  const unread = new Set(discovery.failures.map(({ groupVersion }) => groupVersion));
  const isKnown = ({ group, version }: DiscoveredResource): boolean =>
    !unread.has(formatGroupVersion(group, version));
  return {
    start: [...wanted].filter(([key]) => !current.has(key)).map(([, resource]) => resource),
    stop: [...current].filter(([key, resource]) => !wanted.has(key) && isKnown(resource)).map(([key]) => key),
  };
}

/** One key for each resource in each version. */
export const resourceKey = ({ group, version, name }: DiscoveredResource): string =>
  `${group}/${version}/${name}`;
