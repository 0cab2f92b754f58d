import { ownValue } from '../../base/index.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';

type Amounts = Readonly<Record<string, string>> | undefined;

/** Thousandths of CPUs in a list of amounts, rounded up; 0 when there are none. */
export const readCpuMillis = (amounts: Amounts): number => readAmount(amounts, 'cpu', -3);

/** Whole units of a resource, rounded up; 0 when there are none. */
export const readUnits = (amounts: Amounts, name: string): number => readAmount(amounts, name, 0);

function readAmount(amounts: Amounts, name: string, scale: number): number {
  const text = ownValue(amounts, name);
  if (text === undefined) return 0;
  const value = quantityValue(parseQuantity(text), scale);
  // More than any machine has; numbers stay exact.
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
