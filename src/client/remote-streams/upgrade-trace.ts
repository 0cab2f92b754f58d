import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { maskHeaders, type RequestTrace } from '../rest/index.ts';

/** A request for another protocol, as it is about to be sent. */
export interface UpgradeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
}

/** Shows the request; the returned function shows its answer. */
export function traceUpgrade(
  trace: RequestTrace | undefined,
  { method, url, headers: given }: UpgradeRequest,
): (answer: IncomingMessage) => void {
  const startMs = performance.now();
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value : String(value);
  }
  trace?.onRequest?.({ method, url, headers: maskHeaders(headers), body: undefined });
  return (answer) =>
    trace?.onResponse?.({
      method,
      url,
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      durationMs: performance.now() - startMs,
      headers: answer.headers,
    });
}
