import type { DiscoveredResource, Discovery } from '../client/discovery/index.ts';

/** Resources that have all of `verbs`, each in its group's preferred version that serves it. */
export function preferredResources(
  { groups, resources }: Discovery,
  verbs: readonly string[],
): DiscoveredResource[] {
  const chosen = new Map<string, DiscoveredResource>();
  const preferred = new Map(groups.map(({ name, preferredVersion }) => [name, preferredVersion]));
  for (const resource of resources) {
    const key = `${resource.group}/${resource.name}`;
    const isPreferred = preferred.get(resource.group) === resource.version;
    if (isPreferred || !chosen.has(key)) chosen.set(key, resource);
  }
  return [...chosen.values()].filter((resource) => verbs.every((verb) => resource.verbs.includes(verb)));
}
