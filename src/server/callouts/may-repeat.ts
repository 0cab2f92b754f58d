import type { ClientRequest } from 'node:http';
import { errorCode } from '../../base/index.ts';

/** Methods that may be sent twice. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request without a body that failed may be sent again: it went over a kept connection, which the other side
 * may have closed before it read anything. Source: RFC 9110, section 9.2.2; Go's `net/http` does the same.
 */
export function mayRepeat(sent: ClientRequest, error: unknown, signal: AbortSignal): boolean {
  return (
    sent.reusedSocket &&
    (errorCode(error) === 'ECONNRESET' || errorCode(error) === 'EPIPE') &&
    repeatable.has(sent.method) &&
    !signal.aborted
  );
}
