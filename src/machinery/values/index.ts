/**
 * Values with a text form of their own: quantities, times, int-or-string. Pure and exact (bigint);
 * texts, rounding and error messages are apimachinery's. It does not know where in a type they stand.
 */
export { type IntOrString, parsePercent, scaleIntOrString } from './int-or-string.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  QuantityError,
  quantitySign,
  quantityValue,
  roundQuantityText,
  roundTo,
  subtractQuantities,
  wrappedQuantityValue,
} from './quantity.ts';
export type { Quantity, QuantityFormat } from './quantity-format.ts';
export {
  canonicalMicroTime,
  canonicalTime,
  formatGoTime,
  formatMicroTime,
  formatTime,
  parseTime,
  TimeError,
} from './time.ts';
