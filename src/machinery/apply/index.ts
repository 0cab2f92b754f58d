/**
 * Server-side apply and the record of who owns which fields (structured merge, as release 1.20 has it). Pure:
 * schemas are compiled from types and kept by the caller; conversion and the time are handed in. Storing,
 * decoding and defaulting the result is the caller's part.
 */
export type { AppliedObject, ApplyConfigurationInput } from './managed-fields/configuration-merger.ts';
export {
  createFieldManager,
  type FieldManager,
  type FieldManagerOptions,
} from './managed-fields/field-manager.ts';
export type { RecordUpdateInput } from './managed-fields/update-recorder.ts';
export { ConversionError } from './merge/managers.ts';
export { type ApplySchemaCompiler, createApplySchemaCompiler } from './typed/compile-views.ts';
export {
  type CustomSchemaOptions,
  compileCustomApplySchema,
  createUntypedSchema,
} from './typed/custom-views.ts';
export type { ApplySchema } from './typed/view.ts';
export { equalValues } from './value/index.ts';
