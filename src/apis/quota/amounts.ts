import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantitySign,
  subtractQuantities,
} from '../../machinery/values/index.ts';

/** Quantities by the name of what they are of. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Amounts as objects carry them. @throws QuantityError for text that validation would refuse. */
export function parseAmounts(texts: Readonly<Record<string, string>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

/** The form that objects carry. */
export const formatAmounts = (amounts: Amounts): Record<string, string> =>
  Object.fromEntries([...amounts].map(([name, quantity]) => [name, formatQuantity(quantity)]));

/** The text in messages: `cpu=1,memory=1Gi`, in the order of names. */
export const showAmounts = (amounts: Amounts): string =>
  [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${formatQuantity(amounts.get(name) ?? parseQuantity('0'))}`)
    .join(',');

/** For every name that either has: the sum. */
export const addAmounts = (a: Amounts, b: Amounts): Map<string, Quantity> => merge(a, b, addQuantities);

/** For every name that either has: the larger one. */
export const largerAmounts = (a: Amounts, b: Amounts): Map<string, Quantity> =>
  merge(a, b, (one, other) => (compareQuantities(one, other) < 0 ? other : one));

/** For every name that either has: what `a` has more than `b`. */
export function subtractAmounts(a: Amounts, b: Amounts): Map<string, Quantity> {
  const left = new Map(a);
  for (const [name, quantity] of b) {
    left.set(name, subtractQuantities(left.get(name) ?? parseQuantity('0'), quantity));
  }
  return left;
}

/** The amounts of these names. */
export function onlyAmounts(amounts: Amounts, names: Iterable<string>): Map<string, Quantity> {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
}

/** The amounts that are not zero. */
export const withoutZeros = (amounts: Amounts): Map<string, Quantity> =>
  new Map([...amounts].filter(([, quantity]) => quantitySign(quantity) !== 0));

/** Names of amounts below zero, in order. */
export const negativeNames = (amounts: Amounts): string[] =>
  [...amounts].flatMap(([name, quantity]) => (quantitySign(quantity) < 0 ? [name] : [])).sort();

/** Names of what exceeds its bound. What has no bound does not. */
export function exceededNames(amounts: Amounts, bounds: Amounts): string[] {
  return [...amounts].flatMap(([name, quantity]) => {
    const bound = bounds.get(name);
    return bound !== undefined && compareQuantities(quantity, bound) > 0 ? [name] : [];
  });
}

/** Whether both have the same names with equal amounts, however these are written. */
export function hasSameAmounts(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, quantity]) => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(quantity, other) === 0;
  });
}

function merge(a: Amounts, b: Amounts, join: (a: Quantity, b: Quantity) => Quantity): Map<string, Quantity> {
  const merged = new Map(a);
  for (const [name, quantity] of b) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? quantity : join(known, quantity));
  }
  return merged;
}
