import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
  roundTo,
} from '../../machinery/values/index.ts';
import { isQualifiedName, negativeMessage } from '../validation/index.ts';

/** Resources that are counted, so that their quantities are whole numbers. */
const countedResources: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);

/** True for resources that come in whole numbers: counted objects, and extended resources such as devices. */
export const isIntegerResource = (name: string, dialect: Dialect): boolean =>
  countedResources.has(name) || isExtendedResource(name, dialect);

/** True for names of a domain that is not the product's own, outside `requests.`: `example.com/gpu`. */
export function isExtendedResource(name: string, dialect: Dialect): boolean {
  if (isNativeResource(name, dialect) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** True for names without a domain, and those of the product's own domain. */
export const isNativeResource = (name: string, dialect: Dialect): boolean =>
  !name.includes('/') || name.includes(dialect.label(''));

/** Errors of a quantity of a named resource: not negative, and whole where the resource is counted. */
export function validateResourceQuantity(
  name: string,
  text: string,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  const quantity = parseQuantity(text);
  const errors: FieldError[] = [];
  if (quantitySign(quantity) < 0) errors.push(invalidValue(path, text, negativeMessage));
  if (isIntegerResource(name, dialect) && !isWhole(quantity)) {
    errors.push(invalidValue(path, printQuantity(text), 'must be an integer'));
  }
  return errors;
}

/** Finer than a thousandth is not looked at; the reference compares in thousandths. */
function isWhole(quantity: Quantity): boolean {
  return compareQuantities(quantity, roundTo(quantity, 0)) === 0;
}

/** Errors of a quantity that may be zero but not less, shown as text. */
export const validateNonNegativeQuantity = (text: string, path: FieldPath): FieldError[] =>
  quantitySign(parseQuantity(text)) < 0 ? [invalidValue(path, text, negativeMessage)] : [];

/** Errors of a quantity that must be more than zero. */
export const validatePositiveQuantity = (text: string, path: FieldPath): FieldError[] =>
  quantitySign(parseQuantity(text)) <= 0 ? [invalidValue(path, text, 'must be greater than zero')] : [];

/** The reference prints the inside of a quantity, which clients cannot rely on; the text is what they sent. */
export const printQuantity = (text: string): VerbatimValue => new VerbatimValue(JSON.stringify(text));
