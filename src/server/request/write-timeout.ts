import { type StatusError, timeout } from '../../machinery/errors/index.ts';
import { DurationError, formatDurationMs, parseDurationMs } from '../../machinery/go-values/index.ts';
import type { Exchange } from './exchange.ts';

/** Verbs of requests that change objects. */
export const writes: ReadonlySet<string> = new Set([
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);

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

/** A write that was not done in the time that its client gave it. */
export const lateWrite = (timeoutMs: number): StatusError =>
  timeout(`request did not complete within requested timeout ${formatDurationMs(timeoutMs)}`, 0);

/** @throws StatusError 504 for a write that has no time at all: nothing of it may be done. */
export function refuseWithoutTime({ info, query }: Pick<Exchange, 'info' | 'query'>): void {
  if (!writes.has(info.verb) || !query.has('timeout')) return;
  const timeoutMs = writeTimeoutMs(query);
  if (timeoutMs <= 0) throw lateWrite(timeoutMs);
}
