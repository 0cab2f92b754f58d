import { formatGroupVersion } from '../../machinery/schema/index.ts';
import { loadPriorities, loadResources } from './resource-data.ts';
import type { ResourceTable } from './resource-table.ts';

/** Spec of a registration that this server serves itself. Field order is the wire's. */
export interface LocalApiServiceSpec {
  readonly group?: string | undefined;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/**
 * Registrations that a server keeps for the versions it serves itself, sorted by name (`v1.`, `v1.apps`).
 * The registration group has none of its own.
 */
export function localApiServices(
  table: ResourceTable,
): ReadonlyArray<{ readonly name: string; readonly spec: LocalApiServiceSpec }> {
  const priorities = loadPriorities(table.dialect);
  const services = table.groups.flatMap((group) =>
    group.versions.flatMap((version) => {
      const priority = priorities[formatGroupVersion(group.name, version)];
      if (priority === undefined) return [];
      const spec = { ...(group.name === '' ? {} : { group: group.name }), version, ...priority };
      return [{ name: `${version}.${group.name}`, spec }];
    }),
  );
  return services.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Paths that `/` of release 1.20 lists beside discovery documents: health checks, metrics, keys, version. */
export function listServicePaths(table: ResourceTable): readonly string[] {
  return loadResources(table.dialect).rootPaths;
}
