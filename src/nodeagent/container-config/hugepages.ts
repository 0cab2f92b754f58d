import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import { readUnits } from './amounts.ts';

const prefix = 'hugepages-';
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes by size of page, as control groups name the size (`2MB`), of all the huge pages in a list of amounts. */
export function readHugepages(amounts: Readonly<Record<string, string>> | undefined): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of Object.keys(amounts ?? {})) {
    if (!name.startsWith(prefix)) continue;
    const sizeBytes = quantityValue(parseQuantity(name.slice(prefix.length)));
    found.set(formatPageSize(sizeBytes), readUnits(amounts, name));
  }
  return found;
}

/** A size of pages as control groups name it: `2MB`, `1GB`; multiples of 1024. */
export function formatPageSize(sizeBytes: bigint): string {
  let [size, unit] = [sizeBytes, 0];
  while (size >= 1024n && unit < units.length - 1) {
    size /= 1024n;
    unit += 1;
  }
  return `${size}${units[unit]}`;
}
