/**
 * Why a call of the runtime failed:
 *
 * - `not-found`: what the call names does not exist.
 * - `already-exists`: something of that name exists, or the same call is under way.
 * - `invalid`: the runtime refuses the arguments.
 * - `denied`: the runtime refuses the caller, or the registry its credentials.
 * - `unsupported`: the runtime does not know the call, or speaks no version that this program speaks.
 * - `too-large`: a message is larger than the driver takes.
 * - `failed`: the runtime tried and could not; only its message says why.
 * - `timeout`: no answer in time; the call may have been carried out.
 * - `unavailable`: the runtime cannot be reached, or went away; the call may have been carried out.
 * - `cancelled`: the caller gave up.
 * - `closed`: the driver was closed.
 */
export type RuntimeErrorCode =
  | 'not-found'
  | 'already-exists'
  | 'invalid'
  | 'denied'
  | 'unsupported'
  | 'too-large'
  | 'failed'
  | 'timeout'
  | 'unavailable'
  | 'cancelled'
  | 'closed';

const retriable: ReadonlySet<RuntimeErrorCode> = new Set(['timeout', 'unavailable']);

/** Drivers begin their messages with the call. */
const callPrefix = /^[A-Z][A-Za-z]{1,40}: /;

/** What an error may carry beside its code and message. */
export interface RuntimeErrorOptions extends ErrorOptions {
  readonly detail?: string | undefined;
}

/** A failed call of a container runtime. Recognised by its code; the message names the call and what the runtime says. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly code: RuntimeErrorCode;
  /** The runtime's own words, without the call. */
  readonly detail: string;

  constructor(code: RuntimeErrorCode, message: string, { detail, ...options }: RuntimeErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.detail = detail ?? message.replace(callPrefix, '');
  }

  /** Whether the runtime gave no verdict, so that the same call may succeed later although nothing was changed. */
  get isRetriable(): boolean {
    return retriable.has(this.code);
  }
}

/** Whether a call failed because what it names does not exist. */
export function isNotFound(error: unknown): error is RuntimeError {
  return error instanceof RuntimeError && error.code === 'not-found';
}
