import type { Int64 } from './messages.ts';
import { toNumber } from './protocol.ts';

const nanosecondsPerMs = 1_000_000;

/** Milliseconds since the Unix epoch, of the interface's nanoseconds. */
export function readTimeMs(nanoseconds: Int64): number {
  return Math.floor(toNumber(nanoseconds) / nanosecondsPerMs);
}

/** As `readTimeMs`; undefined for a time that has not come, which the interface writes as 0 or less. */
export function readPastTimeMs(nanoseconds: Int64): number | undefined {
  return toNumber(nanoseconds) <= 0 ? undefined : readTimeMs(nanoseconds);
}

/** The number in a message that may be left out. */
export function readOptionalNumber(message: { readonly value: Int64 } | null): number | undefined {
  return message === null ? undefined : toNumber(message.value);
}

/** The name that `numbers` gives a value of an enumeration; `other` for a value that a newer runtime knows. */
export function readEnum<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
  value: number,
  other: Name,
): Name {
  // Names of an object literal are what its type says.
  const names = Object.keys(numbers) as Name[];
  return names.find((name) => numbers[name] === value) ?? other;
}
