import {
  type ServerAddressByClientCidr,
  toApiGroupDocument,
  toApiGroupList,
  toApiResourceList,
  toApiVersions,
  toRootPaths,
} from './discovery.ts';
import type { ResourceTable } from './resource-table.ts';

/** What discovery documents say beside the resources. */
export interface DiscoveryOptions {
  readonly addresses: readonly ServerAddressByClientCidr[];
  /** Paths for `/` that are no discovery documents: health checks, metrics. */
  readonly otherPaths: readonly string[];
}

/** All discovery documents of the built-in resources by path, without slashes at the end. Made once, never changed. */
export function buildDiscovery(table: ResourceTable, options: DiscoveryOptions): ReadonlyMap<string, object> {
  const documents = new Map<string, object>([
    ['/', toRootPaths(table.groups, options.otherPaths)],
    ['/api', toApiVersions(table.groups, options.addresses)],
    ['/apis', toApiGroupList(table.groups)],
  ]);
  for (const group of table.groups) {
    const base = group.name === '' ? '/api' : `/apis/${group.name}`;
    if (group.name !== '') documents.set(base, toApiGroupDocument(group));
    for (const version of group.versions) {
      const resources = table.inVersion(group.name, version);
      documents.set(`${base}/${version}`, toApiResourceList(group.name, version, resources));
    }
  }
  return documents;
}
