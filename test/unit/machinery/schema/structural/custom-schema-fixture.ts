import { customSchemaCompiler } from '../../../../../src/apis/apiextensions/index.ts';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import type { JsonObject } from '../../../../../src/base/index.ts';
import { parseJson } from '../../../../../src/machinery/codec/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import type { CustomSchema, SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';

const compile = customSchemaCompiler(orchDialect, createTypeCatalog(orchDialect));

/** A compiled schema of a definition that prunes. */
export const compileSchema = (schema: SchemaNode | undefined): CustomSchema =>
  compile(schema, { preservesUnknownFields: false });

/** A compiled schema of a definition that keeps unknown fields. */
export const compileKeeping = (schema: SchemaNode | undefined): CustomSchema =>
  compile(schema, { preservesUnknownFields: true });

/** A schema whose `spec` is the given one. */
export const withSpec = (spec: SchemaNode): SchemaNode => ({ type: 'object', properties: { spec } });

/** A schema whose `spec` has the given properties. */
export const withProperties = (properties: SchemaNode): SchemaNode =>
  withSpec({ type: 'object', properties });

/** JSON text as requests bring it: numbers keep how they are written. */
export const read = (text: string): JsonObject =>
  // The texts of these tests are objects.
  parseJson(Buffer.from(text), { keepsFractions: true }) as JsonObject;

/** An object with a `spec`, given as JSON text. */
export const objectWith = (spec: string): JsonObject =>
  read(`{"apiVersion":"a.b/v1","kind":"Widget","metadata":{"name":"w"},"spec":${spec}}`);
