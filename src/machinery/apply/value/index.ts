/** Equality, order and canonical text of plain JSON values. Numbers count by value, the order of names never. */
export { canonicalText } from './canonical-text.ts';
export { compareTexts, compareValues } from './compare-values.ts';
export { equalValues } from './equal-values.ts';
