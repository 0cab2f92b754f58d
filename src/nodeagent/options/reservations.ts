import { type Parsed, refuse } from '../../config/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { parseQuantity, QuantityError, quantitySign, quantityValue } from '../../machinery/values/index.ts';

/** Resources kept from pods. */
export interface ReservedResources {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly ephemeralStorageBytes: number;
  readonly pids: number;
}

const names = {
  cpu: 'cpuMillis',
  memory: 'memoryBytes',
  'ephemeral-storage': 'ephemeralStorageBytes',
  pid: 'pids',
} as const satisfies Readonly<Record<string, keyof ReservedResources>>;

/** The amounts of a map such as `cpu: 100m, memory: 1Gi`, and everything that is wrong with it. */
export function readReservations(texts: Readonly<Record<string, string>>): {
  readonly reserved: ReservedResources;
  readonly problems: readonly string[];
} {
  const amounts: Record<keyof ReservedResources, number> = {
    cpuMillis: 0,
    memoryBytes: 0,
    ephemeralStorageBytes: 0,
    pids: 0,
  };
  const problems: string[] = [];
  for (const [resource, text] of Object.entries(texts)) {
    if (!isReservable(resource)) {
      problems.push(unreservable(resource));
      continue;
    }
    const parsed = parseAmount(resource, text);
    if ('problem' in parsed) problems.push(parsed.problem);
    else amounts[names[resource]] = parsed.value;
  }
  return { reserved: amounts, problems };
}

function isReservable(resource: string): resource is keyof typeof names {
  return Object.hasOwn(names, resource);
}

function parseAmount(resource: keyof typeof names, text: string): Parsed<number> {
  try {
    const quantity = parseQuantity(text);
    if (quantitySign(quantity) < 0)
      return refuse(`resource quantity for "${resource}" cannot be negative: ${text}`);
    return { value: Number(quantityValue(quantity, resource === 'cpu' ? -3 : 0)) };
  } catch (error) {
    if (error instanceof QuantityError) return refuse(error.message);
    throw error;
  }
}

/** Percent of memory requests that `--qos-reserved` keeps for the better classes; undefined when it says nothing. */
export function readQosReserved(texts: Readonly<Record<string, string>>): {
  readonly memoryPercent: number | undefined;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  let memoryPercent: number | undefined;
  for (const [resource, text] of Object.entries(texts)) {
    const percent = resource === 'memory' ? parsePercentage(text) : refuse(unreservable(resource));
    if ('problem' in percent) problems.push(percent.problem);
    else memoryPercent = percent.value;
  }
  return { memoryPercent, problems };
}

function parsePercentage(text: string): Parsed<number> {
  if (!text.endsWith('%')) return refuse(`percentage expected, got '${text}'`);
  if (!/^[+-]?\d{1,18}%+$/.test(text)) return refuse(`invalid number in percentage '${text}'`);
  const value = Number.parseInt(text, 10);
  return value >= 0 && value <= 100 ? { value } : refuse('percentage must be between 0 and 100');
}

const unreservable = (resource: string): string => `cannot reserve ${quoteGo(resource)} resource`;
