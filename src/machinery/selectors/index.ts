/**
 * Label and field selectors: query text or a selector object becomes a value that is matched many times. Which
 * fields a kind offers is data of `apis`; turning a `SelectorError` into an answer is the server's.
 */
export {
  createFieldSelector,
  escapeFieldValue,
  everyField,
  type FieldSelector,
  type FieldTerm,
} from './field-selector.ts';
export {
  type LabelSelectorObject,
  labelSelectorFromObject,
  labelSelectorFromSet,
} from './from-selector-object.ts';
export { createLabelRequirement, type LabelOperator, type LabelRequirement } from './label-requirement.ts';
export { createLabelSelector, everything, type LabelSelector, nothing } from './label-selector.ts';
export { parseFieldSelector, unescapeFieldValue } from './parse-field-selector.ts';
export { parseLabelSelector } from './parse-label-selector.ts';
export { metadataFields, resolveFieldSelector, type SelectableFields } from './resolve-fields.ts';
export { SelectorError } from './selector-error.ts';
