import type { ResourceTable, ServedResource } from '../resources/index.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import type { Definitions } from './operations.ts';
import { resourcePaths } from './resource-paths.ts';
import { groupPrefix, rootPaths } from './root-paths.ts';
import type { NamedPath } from './swagger.ts';

/** What paths are made from. */
export interface ApiPathSources {
  readonly table: Pick<ResourceTable, 'dialect' | 'groups' | 'resources'>;
  readonly customResources: readonly ServedResource[];
  /** True when deletions of the resource answer with the object. */
  readonly returnsDeleted: (resource: ServedResource) => boolean;
  readonly definitions: Definitions;
}

/** All paths that have operations: those of discovery, then those of each resource, one batch each. */
export function* apiPaths(sources: ApiPathSources): Generator<readonly NamedPath[]> {
  const { table, definitions, returnsDeleted } = sources;
  const { dialect, groups } = table;
  const builtIn = table.resources.map((resource) => ({ resource, isCustom: false }));
  const custom = sources.customResources.map((resource) => ({ resource, isCustom: true }));
  yield [...rootPaths({ dialect, definitions, groups })];
  for (const { resource, isCustom } of [...builtIn, ...custom]) {
    const { group, version, kind } = resource;
    const prefix = groupPrefix(dialect, group);
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const context = {
      dialect,
      definitions,
      gvk: { group, version, kind },
      groupName: operationGroup(prefix, version),
      tag: operationTag(prefix, version),
      isCustom,
      returnsDeleted: returnsDeleted(resource),
    };
    yield [...resourcePaths({ resource, context, root })].filter(hasOperations);
  }
}

const hasOperations = ([, item]: NamedPath): boolean =>
  Object.keys(item).some((member) => member !== 'parameters');
