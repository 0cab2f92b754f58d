/**
 * Server-side apply and the record of who owns which fields (structured merge, as release 1.20 has it). Pure:
 * schemas are compiled from types and kept by the caller; conversion and the time are handed in. Storing,
 * decoding and defaulting the result is the caller's part.
 */
export {
  type AppliedObject,
  type ApplyConfigurationInput,
  createFieldManager,
  type FieldManager,
  type FieldManagerOptions,
  type RecordUpdateInput,
} from './managed-fields/index.ts';
export {
  type ApplySchema,
  type ApplySchemaCompiler,
  type CustomSchemaOptions,
  compileCustomApplySchema,
  createApplySchemaCompiler,
  createUntypedSchema,
} from './typed/index.ts';
