import {
  createOpenApiDocument,
  encodeJson,
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

/** The document of all served resources, parsed. */
export function makeDocument(dialect: Dialect['name'], more: Partial<OpenApiSources> = {}): Json {
  const pieces = [...encodeJson(createOpenApiDocument(makeSources(dialect, more)))];
  return JSON.parse(Buffer.concat(pieces).toString());
}
