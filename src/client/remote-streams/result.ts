import { errorText } from '../../base/index.ts';
import { RemoteExitError } from './errors.ts';

const protocolError = 'error stream protocol error';

/**
 * Reads what was sent on the stream of errors of the fourth version of the protocol: a Status, or nothing.
 *
 * @returns undefined when the process ended well.
 */
export function decodeResult(text: string): Error | undefined {
  if (text === '') return undefined;
  let status: unknown;
  try {
    status = JSON.parse(text);
  } catch (cause) {
    const why = errorText(cause);
    return new Error(`${protocolError}: ${why} in ${JSON.stringify(text)}`, { cause });
  }
  return isStatus(status) ? readStatus(status) : new Error(`${protocolError}: unknown error`);
}

interface ResultStatus {
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: {
    readonly causes?: readonly ({ readonly reason?: unknown; readonly message?: unknown } | null)[] | null;
  } | null;
}

function isStatus(value: unknown): value is ResultStatus {
  if (typeof value !== 'object' || value === null) return false;
  const { details } = value as { details?: { causes?: unknown } | null }; // any object may be read by name
  if (details === undefined || details === null) return true;
  const { causes } = details;
  return typeof details === 'object' && (causes === undefined || causes === null || Array.isArray(causes));
}

function readStatus({ status, reason, message, details }: ResultStatus): Error | undefined {
  if (status === 'Success') return undefined;
  if (status !== 'Failure') return new Error(`${protocolError}: unknown error`);
  if (reason !== 'NonZeroExitCode') return new Error(typeof message === 'string' ? message : '');
  if (details === undefined || details === null) return new Error(`${protocolError}: details must be set`);
  const cause = (details.causes ?? []).find((each) => each?.reason === 'ExitCode');
  if (cause === undefined || cause === null) return new Error(`${protocolError}: no ExitCode cause given`);
  const code = String(cause.message);
  return /^\d{1,3}$/.test(code) && Number(code) <= 255
    ? new RemoteExitError(Number(code))
    : new Error(`${protocolError}: invalid exit code value ${JSON.stringify(code)}`);
}
