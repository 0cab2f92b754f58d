import type { DiscoveredResource, Discovery } from './model.ts';

/** Finds resources by what users type and by kind. */
export interface ResourceMapper {
  /**
   * Finds by plural, singular, short name or kind, any of them with group (`x.group`, a prefix of the group will do)
   * or version and group (`x.v1.group`). Without a version the server's preferred one wins; without a group the
   * server's order of groups decides.
   */
  find(typed: string): DiscoveredResource | undefined;
  /** Finds the resource of a kind; without a version the preferred one. */
  findKind(kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }): DiscoveredResource | undefined;
  /** Resources of a category (`all`), each group's in its preferred version; empty when there is no such category. */
  findCategory(name: string): readonly DiscoveredResource[];
  /** What `find` knows: plurals in the order of preference, then singulars, then short names. */
  names(): readonly string[];
}

/** Makes a mapper over one discovery. */
export function createResourceMapper(discovery: Discovery): ResourceMapper {
  const ordered = orderByPreference(discovery);

  function findResource(name: string, version: string | undefined, group: string | undefined) {
    const named = ordered.filter(
      (r) => r.name === name || r.singularName === name || r.kind.toLowerCase() === name,
    );
    const matches = named.length > 0 ? named : ordered.filter((r) => r.shortNames.includes(name));
    const inVersion = version === undefined ? matches : matches.filter((r) => r.version === version);
    if (group === undefined) return inVersion[0];
    return (
      inVersion.find((r) => r.group === group) ??
      inVersion.find((r) => group !== '' && r.group.startsWith(group))
    );
  }

  return {
    find(typed) {
      const parts = typed.toLowerCase().split('.');
      const [name = '', second, ...rest] = parts;
      if (second !== undefined && rest.length > 0) {
        const exact = findResource(name, second, rest.join('.'));
        if (exact !== undefined) return exact;
      }
      return findResource(name, undefined, second === undefined ? undefined : parts.slice(1).join('.'));
    },
    findKind({ group, version, kind }) {
      return ordered.find(
        (r) => r.kind === kind && r.group === group && (version === '' || r.version === version),
      );
    },
    findCategory(name) {
      const seen = new Set<string>();
      return ordered.filter((resource) => {
        if (!resource.categories.includes(name) || seen.has(`${resource.group}/${resource.name}`))
          return false;
        seen.add(`${resource.group}/${resource.name}`);
        return true;
      });
    },
    names: () => [
      ...new Set([
        ...ordered.map(({ name }) => name),
        ...ordered.map(({ singularName, kind }) => singularName || kind.toLowerCase()),
        ...ordered.flatMap(({ shortNames }) => shortNames),
      ]),
    ],
  };
}

/** Groups in the server's order, in each the preferred version first. */
function orderByPreference({ groups, resources }: Discovery): readonly DiscoveredResource[] {
  const ranks = new Map<string, number>();
  for (const group of groups) {
    for (const version of [group.preferredVersion, ...group.versions]) {
      const key = `${group.name}/${version}`;
      if (!ranks.has(key)) ranks.set(key, ranks.size);
    }
  }
  const rank = (r: DiscoveredResource) => ranks.get(`${r.group}/${r.version}`) ?? ranks.size;
  return [...resources].sort((a, b) => rank(a) - rank(b));
}
