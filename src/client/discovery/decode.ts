import { asJsonObject, asList, asText, isStrings, type JsonObject } from '../../base/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { DiscoveredGroup, DiscoveredResource, Discovery } from './model.ts';

/** Versions of the core group, from `/api`. Anything unexpected is left out. */
export function decodeCoreVersions(document: unknown): readonly string[] {
  return strings(asJsonObject(document).versions);
}

/** Groups from `/apis`, in their order. Anything unexpected is left out. */
export function decodeGroups(document: unknown): readonly DiscoveredGroup[] {
  return asList(asJsonObject(document).groups).flatMap((item) => {
    const row = asJsonObject(item);
    const versions = asList(row.versions).map((version) => asText(asJsonObject(version).version));
    const name = asText(row.name);
    const preferredVersion = asText(asJsonObject(row.preferredVersion).version) || (versions[0] ?? '');
    return name === '' || versions.length === 0 ? [] : [{ name, preferredVersion, versions }];
  });
}

/** Resources of one group version's `APIResourceList`. */
export function decodeResources(group: string, version: string, document: unknown): DiscoveredResource[] {
  const rows = asList(asJsonObject(document).resources).map(asJsonObject);
  const subresources = new Map<string, string[]>();
  for (const row of rows) {
    const [parent = '', ...rest] = asText(row.name).split('/');
    if (rest.length > 0) subresources.set(parent, [...(subresources.get(parent) ?? []), rest.join('/')]);
  }
  return rows.flatMap((row) => {
    const name = asText(row.name);
    const kind = asText(row.kind);
    if (name === '' || kind === '' || name.includes('/')) return [];
    const singularName = asText(row.singularName) || kind.toLowerCase();
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

/** An aggregated document of later releases: its groups in order, and their resources. A version that it calls stale has failed. */
export function decodeAggregated(document: unknown): Discovery {
  const groups: DiscoveredGroup[] = [];
  const resources: DiscoveredResource[] = [];
  const failures: { groupVersion: string; message: string }[] = [];
  for (const item of asList(asJsonObject(document).items).map(asJsonObject)) {
    const name = asText(asJsonObject(item.metadata).name);
    const versions = asList(item.versions).map(asJsonObject);
    const names = versions.map(({ version }) => asText(version)).filter((version) => version !== '');
    const [preferredVersion] = names;
    if (preferredVersion === undefined) continue;
    groups.push({ name, preferredVersion, versions: names });
    for (const { version, freshness, resources: rows } of versions) {
      const groupVersion = formatGroupVersion(name, asText(version));
      if (freshness === 'Stale')
        failures.push({ groupVersion, message: `stale GroupVersion discovery: ${groupVersion}` });
      for (const row of asList(rows))
        resources.push(...decodeAggregatedResource(name, asText(version), asJsonObject(row)));
    }
  }
  return { groups, resources, failures };
}

function decodeAggregatedResource(group: string, version: string, row: JsonObject): DiscoveredResource[] {
  const name = asText(row.resource);
  const kind = asText(asJsonObject(row.responseKind).kind);
  if (name === '' || kind === '' || version === '') return [];
  return [
    {
      group,
      version,
      name,
      singularName: asText(row.singularResource) || kind.toLowerCase(),
      kind,
      isNamespaced: row.scope === 'Namespaced',
      shortNames: strings(row.shortNames),
      categories: strings(row.categories),
      verbs: strings(row.verbs),
      subresources: asList(row.subresources)
        .map((each) => asText(asJsonObject(each).subresource))
        .filter((each) => each !== ''),
    },
  ];
}

/** A discovery that this client wrote to disk; undefined when the text is something else. */
export function decodeStoredDiscovery(value: unknown): Discovery | undefined {
  const { groups, resources, failures } = asJsonObject(value);
  if (!Array.isArray(groups) || !Array.isArray(resources) || !Array.isArray(failures)) return undefined;
  const isSound =
    groups.every(
      (group) =>
        asText(asJsonObject(group).preferredVersion) !== '' && isStrings(asJsonObject(group).versions),
    ) && resources.every(isStoredResource);
  // Every field that readers use was just checked; failures are only shown.
  return isSound ? ({ groups, resources, failures } as Discovery) : undefined;
}

function isStoredResource(value: unknown): boolean {
  const row = asJsonObject(value);
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

function strings(value: unknown): readonly string[] {
  return isStrings(value) ? value : [];
}
