import { type Dialect, translateData } from '../../machinery/dialect.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ResourceTable, ServedResource } from '../resources/index.ts';
import { type CustomResource, customRoots, publishCustomResource } from './custom-resource.ts';
import { customDefinitionName, definitionNameOf } from './definition-names.ts';
import { operationGroup, operationTag } from './operation-names.ts';
import type { Definitions, OperationContext } from './operations.ts';
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
}

/** A part of a document. `paths` and `definitions` are iterated in this order, each to its end. */
export interface OpenApiFragment {
  /** Paths in order. */
  paths(): Iterable<NamedPath>;
  /** Definitions in order: all that paths name, and what these are made of. */
  definitions(): Iterable<readonly [name: string, schema: Schema]>;
}

/** A Swagger 2.0 document in pieces, so that nobody needs to hold all of it at once, nor to wait for all of it. */
export interface OpenApiDocument extends OpenApiFragment {
  /** All members but `paths` and `definitions`. */
  readonly frame: Readonly<Record<string, unknown>>;
  /** Steps that come before all others; each takes little time. */
  prepare(): Iterable<void>;
}

/**
 * The document of the built-in resources, in the spelling of the table's dialect. Pieces are made while they are iterated.
 * Its definitions hold all that fragments of custom resources refer to.
 */
export function createOpenApiDocument(sources: OpenApiSources): OpenApiDocument {
  const { dialect } = sources.table;
  const types = new Set<string>(customRoots);
  const items: NamedPath[] = [];
  return {
    frame: translateData(dialect, { swagger: '2.0', info: sources.info, ...security }),
    *prepare() {
      for (const batch of apiPaths(sources, collectInto(types, dialect))) {
        items.push(...batch);
        yield;
      }
      items.sort(([a], [b]) => compare(a, b));
    },
    *paths() {
      for (const [path, item] of items) yield [path, translateData(dialect, item)];
    },
    *definitions() {
      for (const name of closeOver(types))
        yield [dialect.spell(definitionNameOf(name)), translateData(dialect, definitionOf(name))];
    },
  };
}

/** What a document says of one version of a custom resource. */
export function createCustomFragment(dialect: Dialect, custom: CustomResource): OpenApiFragment {
  const definitions = publishCustomResource(dialect, custom).toSorted(([a], [b]) => compare(a, b));
  return {
    *paths() {
      const { resource } = custom;
      const known = namesOf(custom);
      const { ofType, ofKind } = collectInto(new Set(), dialect);
      const context = {
        ...describeContext(dialect, resource),
        definitions: {
          ofType,
          ofKind: (gvk: GroupVersionKind) => {
            const name = known.get(keyOf(gvk));
            return name === undefined ? ofKind(gvk) : refTo(name);
          },
        },
        isCustom: true,
        canExport: false,
        returnsDeleted: false,
      };
      const paths = [...resourcePaths({ resource, context, root: rootOf(resource) })].filter(hasOperations);
      for (const [path, item] of paths.sort(([a], [b]) => compare(a, b)))
        yield [path, translateData(dialect, item)];
    },
    *definitions() {
      for (const [name, make] of definitions) yield [name, make()];
    },
  };
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string =>
  `${formatGroupVersion(group, version)}.${kind}`;

/** Names of the definitions of a custom kind and of its list, by kind. */
function namesOf({ resource }: CustomResource): ReadonlyMap<string, string> {
  const { group, version, kind, listKind } = resource;
  return new Map(
    [kind, listKind].map((name) => [
      keyOf({ group, version, kind: name }),
      customDefinitionName(group, version, name),
    ]),
  );
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
function collectInto(types: Set<string>, dialect: Dialect): Definitions {
  const ofType = (typeName: string): Schema => {
    types.add(typeName);
    return refTo(definitionNameOf(typeName));
  };
  return { ofType, ofKind: (gvk) => ofType(dialect.unspell(keyOf(gvk))) };
}

const rootOf = ({ group, version }: ServedResource): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** What operations of built-in and custom resources have in common. */
function describeContext(
  dialect: Dialect,
  { group, version, kind }: ServedResource,
): Pick<OperationContext, 'dialect' | 'gvk' | 'groupName' | 'tag'> {
  return {
    dialect,
    gvk: { group, version, kind },
    groupName: operationGroup(dialect, group, version),
    tag: operationTag(dialect, group, version),
  };
}

/** All paths that have operations: those of discovery, then those of each resource, one batch each. */
function* apiPaths(
  { table, returnsDeleted = () => false }: OpenApiSources,
  definitions: Definitions,
): Generator<readonly NamedPath[]> {
  const { dialect, groups } = table;
  yield [...rootPaths({ dialect, definitions, groups })];
  for (const resource of table.resources) {
    // Namespaces are sent as well, but release 1.20 tells of a Status.
    const isToldAsStatus = resource.group === '' && resource.kind === 'Namespace';
    const context = {
      ...describeContext(dialect, resource),
      definitions,
      isCustom: false,
      canExport: isExported(dialect, resource),
      returnsDeleted: !isToldAsStatus && returnsDeleted(resource),
    };
    yield [...resourcePaths({ resource, context, root: rootOf(resource) })].filter(hasOperations);
  }
}

/** Whether reads take the options of exports: all of stored kinds do, but for those that guard access. */
const isExported = (dialect: Dialect, { group, storage }: ServedResource): boolean =>
  storage !== undefined && group !== dialect.group('rbac.authorization');

const hasOperations = ([, item]: NamedPath): boolean =>
  Object.keys(item).some((member) => member !== 'parameters');
