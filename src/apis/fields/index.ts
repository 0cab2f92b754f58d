/**
 * Field selectors of the built-in kinds: which labels each served kind offers, and the values of the fields that
 * they mean. Parsing and matching selectors is `machinery/selectors`. Source: release 1.20.
 */
export { createFieldLabels, customResourceFields } from './field-labels.ts';
export { createFieldLayout, type FieldLayout, type FieldPlace } from './field-layout.ts';
export {
  createFieldValues,
  type FieldValues,
  fieldValuesByPrefix,
  type ReadFieldValues,
} from './field-values.ts';
