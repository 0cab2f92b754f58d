import { isRawNumber, rawNumber, setOwn } from '../schema/json-text.ts';
import { BodySyntaxError } from './body-syntax-error.ts';
import { scanJson } from './json-scan.ts';
import { describeJsonFault } from './json-syntax.ts';

/** Deepest nesting that is read; real objects stay below 100. */
export const maxBodyDepth = 1000;

const bigInteger = /^-?\d{16,}$/;

interface ReviverContext {
  readonly source?: string;
}

type Reviver = (key: string, value: unknown, context: ReviverContext) => unknown;

/** Keeps whole numbers that a double would change as their digits. */
const keepBigIntegers: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || source === undefined || !bigInteger.test(source)) return value;
  return String(value) === source && Number.isSafeInteger(value) ? value : rawNumber(source);
};

/**
 * Parses one JSON text. The last of equal keys wins, `__proto__` is an ordinary key, bytes that are not UTF-8
 * and lone surrogates become U+FFFD, whole numbers beyond 2^53 keep their digits (`isRawNumber`).
 *
 * @throws BodySyntaxError with the text of the reference's reader.
 */
export function parseJson(bytes: Buffer): unknown {
  const traits = scanJson(bytes);
  if (traits.depth > maxBodyDepth) throw new BodySyntaxError('exceeded max depth');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    // The runtime passes a third argument to the reviver; the compiler's library does not know it yet.
    value = traits.hasLongNumber
      ? JSON.parse(text, keepBigIntegers as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch {
    throw new BodySyntaxError(describeJsonFault(bytes));
  }
  return traits.hasSurrogateEscape ? wellFormed(value) : value;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(out, key.toWellFormed(), wellFormed(item));
  return out;
}
