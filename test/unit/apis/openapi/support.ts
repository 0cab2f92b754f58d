import {
  type CustomResource,
  createCustomFragment,
  createOpenApiDocument,
  type Encoding,
  jsonEncoding,
  type OpenApiSources,
} from '../../../../src/apis/openapi/index.ts';
import { createResourceTable } from '../../../../src/apis/resources/index.ts';
import { createDialect, type Dialect } from '../../../../src/machinery/dialect.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests walk the document freely
export type Json = any;

/** What a document of all served resources is made from. */
export function makeSources(dialect: Dialect['name'], more: Partial<OpenApiSources> = {}): OpenApiSources {
  const table = createResourceTable({ dialect: createDialect(dialect) });
  return { table, info: { title: 'Orch', version: 'v1' }, ...more };
}

/** All bytes of a document, with those of custom resources where they belong. */
export function encodeWhole(
  encoding: Encoding,
  sources: OpenApiSources,
  customs: readonly CustomResource[] = [],
): Buffer {
  const document = createOpenApiDocument(sources);
  const fragments = customs.map((custom) => createCustomFragment(sources.table.dialect, custom));
  const pieces = encoding.document.flatMap((write, index) => [
    ...write(document),
    ...fragments.flatMap((fragment) => [...(encoding.fragment[index]?.(fragment) ?? [])]),
  ]);
  return Buffer.concat(pieces);
}

/** The document of all served resources, parsed. */
export function makeDocument(
  dialect: Dialect['name'],
  more: Partial<OpenApiSources> = {},
  customs: readonly CustomResource[] = [],
): Json {
  return JSON.parse(encodeWhole(jsonEncoding, makeSources(dialect, more), customs).toString());
}
