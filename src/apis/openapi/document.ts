import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ResourceTable, ServedResource } from '../resources/index.ts';
import { type CustomResource, customRoots, publishCustomResource } from './custom-resource.ts';
import { customDefinitionName, definitionNameOf } from './definition-names.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import type { Definitions } from './operations.ts';
import { resourcePaths } from './resource-paths.ts';
import { rootPaths } from './root-paths.ts';
import { closeOver, definitionOf } from './schemas.ts';
import { type NamedPath, refTo, type Schema } from './swagger.ts';

/** What a document tells of. */
export interface OpenApiSources {
  readonly table: Pick<ResourceTable, 'dialect' | 'groups' | 'resources'>;
  /** Title and version of the API. */
  readonly info: { readonly title: string; readonly version: string };
  /** True when deletions of the resource answer with the object. */
  readonly returnsDeleted?: ((resource: ServedResource) => boolean) | undefined;
  readonly customResources?: readonly CustomResource[] | undefined;
}

/**
 * A Swagger 2.0 document in pieces, so that nobody needs to hold all of it at once, nor to wait for all of it. `prepare`,
 * `paths` and `definitions` are iterated in this order, each to its end.
 */
export interface OpenApiDocument {
  /** All members but `paths` and `definitions`. */
  readonly frame: Readonly<Record<string, unknown>>;
  /** Steps that come before all others; each takes little time. */
  prepare(): Iterable<void>;
  /** Paths in order. */
  paths(): Iterable<NamedPath>;
  /** Definitions in order: all that paths name, and what these are made of. */
  definitions(): Iterable<readonly [name: string, schema: Schema]>;
}

/** The document of an API, in the spelling of the table's dialect. Pieces are made while they are iterated. */
export function createOpenApiDocument(sources: OpenApiSources): OpenApiDocument {
  const { table, customResources: custom = [], returnsDeleted = () => false } = sources;
  const { dialect } = table;
  const types = new Set<string>(custom.length === 0 ? [] : customRoots);
  const definitions = collectInto(types, dialect, custom);
  const customResources = custom.map(({ resource }) => resource);
  const items: NamedPath[] = [];
  return {
    frame: translateData(dialect, { swagger: '2.0', info: sources.info, ...security }),
    *prepare() {
      for (const batch of apiPaths({ table, customResources, returnsDeleted, definitions })) {
        items.push(...batch);
        yield;
      }
      items.sort(([a], [b]) => compare(a, b));
    },
    *paths() {
      for (const [path, item] of items) yield [path, translateData(dialect, item)];
    },
    *definitions() {
      const builtIn = closeOver(types).map(
        (name) => [definitionNameOf(name), () => definitionOf(name)] as const,
      );
      const all = [...builtIn, ...custom.flatMap(publishCustomResource)].sort(([a], [b]) => compare(a, b));
      for (const [name, make] of all) yield [dialect.spell(name), translateData(dialect, make())];
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const security = {
  securityDefinitions: {
    BearerToken: {
      description: 'A token, with the word Bearer before it.',
      type: 'apiKey',
      name: 'authorization',
      in: 'header',
    },
  },
  security: [{ BearerToken: [] }],
};

/** References that remember which types they are to; their names are spelled later, with all others. */
function collectInto(types: Set<string>, dialect: Dialect, custom: readonly CustomResource[]): Definitions {
  const customNames = new Map(
    custom.flatMap(({ resource: { group, version, kind, listKind } }) =>
      [kind, listKind].map((name) => [
        `${formatGroupVersion(group, version)}.${name}`,
        customDefinitionName(group, version, name),
      ]),
    ),
  );
  const ofType = (typeName: string): Schema => {
    types.add(typeName);
    return refTo(definitionNameOf(typeName));
  };
  return {
    ofType,
    ofKind({ group, version, kind }: GroupVersionKind) {
      const name = `${formatGroupVersion(group, version)}.${kind}`;
      const known = customNames.get(name);
      return known === undefined ? ofType(dialect.unspell(name)) : refTo(known);
    },
  };
}

/** What paths are made from. */
interface ApiPathSources {
  readonly table: Pick<ResourceTable, 'dialect' | 'groups' | 'resources'>;
  readonly customResources: readonly ServedResource[];
  /** True when deletions of the resource answer with the object. */
  readonly returnsDeleted: (resource: ServedResource) => boolean;
  readonly definitions: Definitions;
}

/** All paths that have operations: those of discovery, then those of each resource, one batch each. */
function* apiPaths(sources: ApiPathSources): Generator<readonly NamedPath[]> {
  const { table, definitions, returnsDeleted } = sources;
  const { dialect, groups } = table;
  const builtIn = table.resources.map((resource) => ({ resource, isCustom: false }));
  const custom = sources.customResources.map((resource) => ({ resource, isCustom: true }));
  yield [...rootPaths({ dialect, definitions, groups })];
  for (const { resource, isCustom } of [...builtIn, ...custom]) {
    const { group, version, kind } = resource;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const context = {
      dialect,
      definitions,
      gvk: { group, version, kind },
      groupName: operationGroup(dialect, group, version),
      tag: operationTag(dialect, group, version),
      isCustom,
      canExport: !isCustom && isExported(dialect, resource),
      // Namespaces are sent as well, but release 1.20 tells of a Status.
      returnsDeleted: (group !== '' || kind !== 'Namespace') && returnsDeleted(resource),
    };
    yield [...resourcePaths({ resource, context, root })].filter(hasOperations);
  }
}

/** Whether reads take the options of exports: all of stored kinds do, but for those that guard access. */
const isExported = (dialect: Dialect, { group, storage }: ServedResource): boolean =>
  storage !== undefined && group !== dialect.group('rbac.authorization');

const hasOperations = ([, item]: NamedPath): boolean =>
  Object.keys(item).some((member) => member !== 'parameters');
