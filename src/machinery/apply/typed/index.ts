/**
 * Values together with their types: which fields a value names, whether it fits, what merging, comparing and
 * taking items away gives. Types come from the catalog or from schemas of custom resources. Knows no managers.
 */
export { type Comparison, compareTyped, differs, hasWritten, isSame } from './compare.ts';
export { type ApplySchemaCompiler, createApplySchemaCompiler } from './compile-views.ts';
export { type CustomSchemaOptions, compileCustomApplySchema, createUntypedSchema } from './custom-views.ts';
export { TypedError } from './list-items.ts';
export { mergeTyped } from './merge-typed.ts';
export { ensureNamedFieldsAreMembers } from './named-fields.ts';
export { reconcileFieldSet } from './reconcile.ts';
export { extractItems, removeItems } from './select-items.ts';
export { toFieldSet } from './to-field-set.ts';
export { validateTyped } from './validate.ts';
export type { ApplySchema, View } from './view.ts';
