import type { Container, PodSpec } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  parseQuantity,
  type Quantity,
} from '../../machinery/values/index.ts';

type List = 'limits' | 'requests';

/** Nothing. */
export const zeroQuantity: Quantity = integerQuantity(0);

/** An amount in a list such as `resources.requests`; undefined when there is none. */
export function amountOf(
  amounts: Readonly<Record<string, string>> | undefined,
  resource: string,
): Quantity | undefined {
  const text = ownValue(amounts, resource);
  return text === undefined ? undefined : parseQuantity(text);
}

/**
 * Requests or limits of a pod: the sum of its containers, or the largest init container if that is more, plus overhead.
 * Undefined when nothing is set.
 */
export function podAmount(
  { containers, initContainers, overhead }: PodSpec,
  list: List,
  resource: string,
): Quantity | undefined {
  const read = ({ resources }: Container): Quantity | undefined => amountOf(resources[list], resource);
  const together = (containers ?? []).map(read).reduce(add, undefined);
  const most = (initContainers ?? []).map(read).reduce(larger, together);
  const extra = amountOf(overhead, resource);
  return most === undefined && list === 'limits' ? undefined : add(most, extra);
}

function add(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  return a === undefined || b === undefined ? (a ?? b) : addQuantities(a, b);
}

function larger(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  return a === undefined || b === undefined ? (a ?? b) : compareQuantities(a, b) >= 0 ? a : b;
}
