import { translateData } from '../../machinery/dialect.ts';
import { type CustomResource, customRoots, publishCustomSchemas } from './custom-resource.ts';
import { definitionNameOf } from './definition-names.ts';
import { compareNames, type OpenApiSources, securitySchemes } from './document.ts';
import { collectDefinitions, pathsOfCustom, pathsOfResource } from './paths-of-resource.ts';
import type { RemoteFragment } from './remote-fragment.ts';
import { resourceListPath } from './root-paths.ts';
import { closeOver, definitionOf } from './schemas.ts';
import type { NamedPath, PathItem, Schema } from './swagger.ts';
import { toV3Definition, toV3PathItem, toV3Schema } from './v3-values.ts';

/** A version of a group, and the custom resources in it. */
export interface GroupVersionSources {
  readonly group: string;
  readonly version: string;
  readonly customs: readonly CustomResource[];
}

/**
 * The OpenAPI 3 document of one version of a group as pieces of JSON: paths and schemas, and the schemas that these refer to.
 * Each `next` takes little time, and may give an empty piece. Source: the documents of releases 1.24 and later, with what release 1.20 serves.
 */
export function* encodeGroupVersion(
  { table, info, returnsDeleted = () => false }: OpenApiSources,
  { group, version, customs }: GroupVersionSources,
): Generator<Buffer> {
  const { dialect } = table;
  const types = new Set<string>(customs.length === 0 ? [] : customRoots);
  const definitions = collectDefinitions(types, dialect);
  const own = table.resources.filter((resource) => resource.group === group && resource.version === version);
  const paths: NamedPath[] = [];
  // Release 1.20 does not tell of the lists of custom resources.
  if (own.length > 0) paths.push(resourceListPath({ dialect, definitions }, group, version));
  for (const resource of own) {
    paths.push(
      ...pathsOfResource(resource, { dialect, definitions, returnsDeleted: returnsDeleted(resource) }),
    );
    yield empty;
  }
  for (const custom of customs) {
    paths.push(...pathsOfCustom(custom, { dialect, definitions }));
    yield empty;
  }
  const head = translateData(dialect, { openapi: '3.0.0', info });
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"paths":{`);
  let separator = '';
  for (const [path, item] of paths.sort(compareNames)) {
    yield encodeEntry(separator, path, toV3PathItem(translateData(dialect, item)));
    separator = ',';
  }
  yield Buffer.from('},"components":{"schemas":{');
  separator = '';
  const schemas = [
    ...closeOver(types).map((typeName) => {
      const name = dialect.spell(definitionNameOf(typeName));
      return [name, () => toV3Definition(name, translateData(dialect, definitionOf(typeName)))] as const;
    }),
    ...customs.flatMap((custom) => publishCustomSchemas(dialect, custom)),
  ];
  for (const [name, make] of schemas.sort(compareNames)) {
    yield encodeEntry(separator, name, make());
    separator = ',';
  }
  yield Buffer.from(`},"securitySchemes":${JSON.stringify(securitySchemes)}}}\n`);
}

/** The same for a version that another server serves, from what it says in OpenAPI 2. */
export function* encodeRemoteVersion(
  { info, table: { dialect } }: Pick<OpenApiSources, 'info' | 'table'>,
  { paths, definitions }: RemoteFragment,
): Generator<Buffer> {
  const head = translateData(dialect, { openapi: '3.0.0', info });
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"paths":{`);
  let separator = '';
  for (const [path, text] of paths) {
    // Was tidied when it was read.
    const item: PathItem = JSON.parse(text);
    yield encodeEntry(separator, path, toV3PathItem(item));
    separator = ',';
  }
  yield Buffer.from('},"components":{"schemas":{');
  separator = '';
  for (const [name, { text }] of definitions) {
    const schema: Schema = JSON.parse(text);
    yield encodeEntry(separator, name, toV3Schema(schema));
    separator = ',';
  }
  yield Buffer.from('}}}\n');
}

const empty = Buffer.alloc(0);

const encodeEntry = (separator: string, name: string, value: unknown): Buffer =>
  Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`);
