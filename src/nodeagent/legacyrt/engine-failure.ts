import { isJsonObject } from '../../base/index.ts';
import { RuntimeError, type RuntimeErrorCode } from '../runtime/index.ts';

/** What the statuses of the engine mean; all others are `failed`. */
const codes: Readonly<Record<number, RuntimeErrorCode>> = {
  400: 'invalid',
  401: 'denied',
  403: 'denied',
  404: 'not-found',
  501: 'unsupported',
};

/** How the engine says that a name is taken. */
const nameTaken = /^Conflict\. The (?:container )?name /;

/** The failure for an error answer of the engine, worded as its clients word it. */
export function engineFailure(call: string, status: number, message: string): RuntimeError {
  const detail = `Error response from daemon: ${message === '' ? `status ${status}` : message}`;
  const code = nameTaken.test(message) ? 'already-exists' : (codes[status] ?? 'failed');
  return new RuntimeError(code, `${call}: ${detail}`, { detail });
}

/** A failure without an answer of the engine. */
export function callFailure(
  call: string,
  code: RuntimeErrorCode,
  detail: string,
  cause?: unknown,
): RuntimeError {
  return new RuntimeError(code, `${call}: ${detail}`, { detail, cause });
}

/** The text of a failure's body: JSON with a `message`, or plain. */
export function readFailureMessage(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (isJsonObject(value) && 'message' in value) return String(value.message);
  } catch {
    // An older engine, or something before it, answers with plain text.
  }
  return body.trim().slice(0, 4096);
}
