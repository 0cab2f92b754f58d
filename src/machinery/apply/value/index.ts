/** Equality, order and canonical text of plain JSON values. Numbers count by value, the order of names never. */
export { compareTexts, compareValues } from './compare-values.ts';
export { canonicalText, equalValues } from './equal-values.ts';
