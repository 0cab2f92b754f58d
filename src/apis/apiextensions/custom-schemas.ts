import type { Dialect } from '../../machinery/dialect.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import {
  type CustomSchema,
  compileCustomSchema,
  type EmbeddedMetadata,
  type SchemaNode,
} from '../../machinery/schema/structural/index.ts';
import { nameIsPathSegment, validateObjectMeta } from '../validation/index.ts';

/** Compiles schemas of custom resources for one server. */
export type CustomSchemaCompiler = (
  schema: SchemaNode | undefined,
  options: { readonly preservesUnknownFields: boolean },
) => CustomSchema;

/** The compiler for a dialect, whose types say what the metadata of embedded objects is. */
export function customSchemaCompiler(dialect: Dialect, catalog: TypeCatalog): CustomSchemaCompiler {
  const metadata = embeddedMetadata(dialect, catalog);
  return (schema, { preservesUnknownFields }) =>
    compileCustomSchema(schema, { preservesUnknownFields, dialect, metadata });
}

/** What the types and rules of all kinds say of metadata. */
export function embeddedMetadata(dialect: Dialect, catalog: TypeCatalog): EmbeddedMetadata {
  const type = catalog.type(`${dialect.group('meta')}/v1.ObjectMeta`);
  return {
    decode: (value) => type.decode(value),
    validate(metadata, path) {
      // Metadata in canonical form has the fields of its type only.
      const meta = metadata as ObjectMeta;
      const isNamespaced = (meta.namespace ?? '') !== '';
      // Embedded objects may be without a name.
      const named = meta.name ? meta : { ...meta, name: 'unnamed' };
      return validateObjectMeta(named, { isNamespaced, validateName: nameIsPathSegment }, path);
    },
  };
}
