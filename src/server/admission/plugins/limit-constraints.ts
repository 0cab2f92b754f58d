import { ownValue } from '../../../base/index.ts';
import {
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  quantityValue,
} from '../../../machinery/values/index.ts';

/** Amounts by resource name, canonical text. */
export type ResourceAmounts = Readonly<Record<string, string>>;

/** Requests and limits of a container, of all containers of a pod, or of a claim (which has no limits). */
export interface Usage {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
}

/** One bound of a limit range. */
export interface Bound {
  /** `Container`, `Pod` or `PersistentVolumeClaim`, for the message. */
  readonly type: string;
  /** Resource that is bounded. */
  readonly name: string;
  readonly amount: string;
}

const isLess = (a: string, b: string): boolean => compareQuantities(parseQuantity(a), parseQuantity(b)) < 0;

/**
 * The message for a usage below its minimum; undefined when it is not. Texts of all checks: release 1.20,
 * `limitranger`.
 */
export function minimumProblem(
  { type, name, amount }: Bound,
  { requests, limits }: Usage,
): string | undefined {
  const text = `minimum ${name} usage per ${type} is ${amount}`;
  const request = ownValue(requests, name);
  const limit = ownValue(limits, name);
  if (request === undefined) return `${text}.  No request is specified`;
  if (isLess(request, amount)) return `${text}, but request is ${request}`;
  if (limit !== undefined && isLess(limit, amount)) return `${text}, but limit is ${limit}`;
  return undefined;
}

/** The message for a limit above its maximum; undefined when it is not. */
export function maximumProblem(
  { type, name, amount }: Bound,
  { requests, limits }: Usage,
): string | undefined {
  const text = `maximum ${name} usage per ${type} is ${amount}`;
  const request = ownValue(requests, name);
  const limit = ownValue(limits, name);
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (isLess(amount, limit)) return `${text}, but limit is ${limit}`;
  if (request !== undefined && isLess(amount, request)) return `${text}, but request is ${request}`;
  return undefined;
}

/** The same for what has requests only. */
export function maximumRequestProblem(
  { type, name, amount }: Bound,
  { requests }: Usage,
): string | undefined {
  const text = `maximum ${name} usage per ${type} is ${amount}`;
  const request = ownValue(requests, name);
  if (request === undefined) return `${text}.  No request is specified`;
  return isLess(amount, request) ? `${text}, but request is ${request}` : undefined;
}

/** The message for a limit that exceeds its permitted multiple of the request; undefined when it does not. */
export function ratioProblem({ type, name, amount }: Bound, { requests, limits }: Usage): string | undefined {
  const text = `${name} max limit to request ratio per ${type} is ${amount}`;
  const request = thousandths(ownValue(requests, name));
  const limit = thousandths(ownValue(limits, name));
  if (request === 0) return `${text}, but no request is specified or request is 0`;
  if (limit === 0) return `${text}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  if (ratio * 1000 <= thousandths(amount)) return undefined;
  return `${text}, but provided ratio is ${ratio.toFixed(6)}`;
}

const thousandths = (text: string | undefined): number =>
  text === undefined ? 0 : Number(quantityValue(parseQuantity(text), -3));

/** Sums of the resources that every one of `parts` names: CPU in thousandths, others in whole units. */
export function sumAmounts(parts: readonly ResourceAmounts[]): Record<string, string> {
  const sums: Record<string, string> = {};
  for (const name of Object.keys(parts[0] ?? {})) {
    const texts = parts.map((part) => ownValue(part, name));
    const scale = name === 'cpu' ? -3 : 0;
    let total = 0n;
    for (const text of texts) if (text !== undefined) total += quantityValue(parseQuantity(text), scale);
    if (!texts.includes(undefined)) sums[name] = formatQuantity(scaled(total, scale));
  }
  return sums;
}

const scaled = (value: bigint, scale: number): Quantity => ({ ...integerQuantity(value), scale });

/** For each resource the larger of two amounts, or the one that there is. */
export function largerAmounts(a: ResourceAmounts, b: ResourceAmounts): Record<string, string> {
  const larger: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const known = ownValue(larger, name);
    if (known === undefined || isLess(known, amount)) larger[name] = amount;
  }
  return larger;
}
