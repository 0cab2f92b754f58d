import type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';

/** Versions of the core group, from `/api`. Anything unexpected is left out. */
export function decodeCoreVersions(document: unknown): readonly string[] {
  return strings(record(document).versions);
}

/** Groups from `/apis`, in their order. Anything unexpected is left out. */
export function decodeGroups(document: unknown): readonly DiscoveredGroup[] {
  return list(record(document).groups).flatMap((item) => {
    const row = record(item);
    const versions = list(row.versions).map((version) => text(record(version).version));
    const name = text(row.name);
    const preferredVersion = text(record(row.preferredVersion).version) || (versions[0] ?? '');
    return name === '' || versions.length === 0 ? [] : [{ name, preferredVersion, versions }];
  });
}

/** Resources of one group version's `APIResourceList`. */
export function decodeResources(group: string, version: string, document: unknown): DiscoveredResource[] {
  const rows = list(record(document).resources).map(record);
  const subresources = new Map<string, string[]>();
  for (const row of rows) {
    const [parent = '', ...rest] = text(row.name).split('/');
    if (rest.length > 0) subresources.set(parent, [...(subresources.get(parent) ?? []), rest.join('/')]);
  }
  return rows.flatMap((row) => {
    const name = text(row.name);
    const kind = text(row.kind);
    if (name === '' || kind === '' || name.includes('/')) return [];
    const singularName = text(row.singularName) || kind.toLowerCase();
    return [
      {
        group,
        version,
        name,
        singularName,
        kind,
        isNamespaced: row.namespaced === true,
        shortNames: strings(row.shortNames),
        categories: strings(row.categories),
        verbs: strings(row.verbs),
        subresources: subresources.get(name) ?? [],
      },
    ];
  });
}

/** A discovery that this client wrote to disk; undefined when the text is something else. */
export function decodeStoredDiscovery(value: unknown): Discovery | undefined {
  const { groups, resources, failures } = record(value);
  if (!Array.isArray(groups) || !Array.isArray(resources) || !Array.isArray(failures)) return undefined;
  const isSound =
    groups.every(
      (group) => text(record(group).preferredVersion) !== '' && isStrings(record(group).versions),
    ) && resources.every(isStoredResource);
  // Every field that readers use was just checked; failures are only shown.
  return isSound ? ({ groups, resources, failures } as Discovery) : undefined;
}

function isStoredResource(value: unknown): boolean {
  const row = record(value);
  return (
    typeof row.group === 'string' &&
    typeof row.version === 'string' &&
    typeof row.name === 'string' &&
    typeof row.singularName === 'string' &&
    typeof row.kind === 'string' &&
    isStrings(row.shortNames) &&
    isStrings(row.categories) &&
    isStrings(row.verbs) &&
    isStrings(row.subresources)
  );
}

function record(value: unknown): Record<string, unknown> {
  // Any non-null object may be read by name.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function strings(value: unknown): readonly string[] {
  return isStrings(value) ? value : [];
}
