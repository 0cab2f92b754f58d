import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { ResourceTable, ServedResource } from '../resources/index.ts';
import { type CustomResource, customRoots, publishCustomResource } from './custom-resource.ts';
import { definitionNameOf } from './definition-names.ts';
import type { Definitions } from './operations.ts';
import { collectDefinitions, pathsOfCustom, pathsOfResource } from './paths-of-resource.ts';
import { rootPaths } from './root-paths.ts';
import { closeOver, definitionOf } from './schemas.ts';
import type { NamedPath } from './swagger.ts';

/** What a document tells of. */
export interface OpenApiSources {
  readonly table: Pick<ResourceTable, 'dialect' | 'groups' | 'resources'>;
  /** Title and version of the API. */
  readonly info: { readonly title: string; readonly version: string };
  /** True when deletions of the resource answer with the object. */
  readonly returnsDeleted?: ((resource: ServedResource) => boolean) | undefined;
  /** Whether the documents of the token issuer are served; true when left out. */
  readonly hasIssuer?: boolean | undefined;
}

/** A part of a document. `paths` and `definitions` are iterated in this order, each to its end. */
export interface OpenApiFragment {
  /** Paths in order, each with its operations. */
  paths(): Iterable<readonly [path: string, item: unknown]>;
  /** Definitions in order: all that paths name, and what these are made of. */
  definitions(): Iterable<readonly [name: string, schema: object]>;
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
      for (const batch of apiPaths(sources, collectDefinitions(types, dialect))) {
        items.push(...batch);
        yield;
      }
      items.sort(compareNames);
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
  return {
    *paths() {
      const paths = pathsOfCustom(custom, { dialect, definitions: collectDefinitions(new Set(), dialect) });
      for (const [path, item] of paths.toSorted(compareNames)) yield [path, translateData(dialect, item)];
    },
    *definitions() {
      const definitions = publishCustomResource(dialect, custom);
      for (const [name, make] of definitions.toSorted(compareNames)) yield [name, make()];
    },
  };
}

/** Order of paths and definitions: by name. */
export const compareNames = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** How callers say who they are. */
export const securitySchemes = {
  BearerToken: {
    description: 'A token, with the word Bearer before it.',
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
  },
};
const security = { securityDefinitions: securitySchemes, security: [{ BearerToken: [] }] };

/** All paths that have operations: those of discovery, then those of each resource, one batch each. */
function* apiPaths(
  { table, returnsDeleted = () => false, hasIssuer = true }: OpenApiSources,
  definitions: Definitions,
): Generator<readonly NamedPath[]> {
  const { dialect, groups } = table;
  yield [...rootPaths({ dialect, definitions, groups, hasIssuer })];
  for (const resource of table.resources)
    yield pathsOfResource(resource, { dialect, definitions, returnsDeleted: returnsDeleted(resource) });
}
