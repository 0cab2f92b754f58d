import { DurationError, parseDurationMs } from '../../machinery/go-values/index.ts';

/** Of writes of clients that name no time, as in release 1.20. */
const defaultTimeoutMs = 34_000;

/** How long a write may take (`?timeout=`). What is no duration counts as left out, as in release 1.20. */
export function writeTimeoutMs(query: URLSearchParams): number {
  const text = query.get('timeout') ?? '';
  if (text === '') return defaultTimeoutMs;
  try {
    return parseDurationMs(text);
  } catch (error) {
    if (error instanceof DurationError) return defaultTimeoutMs;
    throw error;
  }
}
