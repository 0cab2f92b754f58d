import { type ServiceError, status } from '@grpc/grpc-js';
import { RuntimeError, type RuntimeErrorCode } from '../runtime/index.ts';

/** What the status codes of gRPC mean; every other one is the runtime's own failure. */
const codes: ReadonlyMap<number, RuntimeErrorCode> = new Map([
  [status.CANCELLED, 'cancelled'],
  [status.INVALID_ARGUMENT, 'invalid'],
  [status.FAILED_PRECONDITION, 'invalid'],
  [status.OUT_OF_RANGE, 'invalid'],
  [status.DEADLINE_EXCEEDED, 'timeout'],
  [status.NOT_FOUND, 'not-found'],
  [status.ALREADY_EXISTS, 'already-exists'],
  [status.PERMISSION_DENIED, 'denied'],
  [status.UNAUTHENTICATED, 'denied'],
  [status.UNIMPLEMENTED, 'unsupported'],
  [status.UNAVAILABLE, 'unavailable'],
]);

/** What the library itself says of a message that passes the bound of the channel. */
const tooLarge = /message (?:larger than|[^:]{0,40}size larger than)/i;

/** How runtimes say, without a code, that the metadata of a sandbox or container is taken. */
const nameTaken = /\bname\b.*\b(?:is reserved|already exists)\b/i;

/** More of a message is not looked at, nor passed on. */
const maxDetailsLength = 4096;

/** The failure of a call as the contract knows it; `call` names the method. */
export function toRuntimeError(call: string, failure: ServiceError): RuntimeError {
  const details = failure.details.slice(0, maxDetailsLength) || `status ${failure.code}`;
  return new RuntimeError(codeOf(failure.code, details), `${call}: ${details}`, {
    cause: failure,
    detail: details,
  });
}

function codeOf(code: number, details: string): RuntimeErrorCode {
  if (code === status.RESOURCE_EXHAUSTED) return tooLarge.test(details) ? 'too-large' : 'failed';
  if (code === status.UNKNOWN && nameTaken.test(details)) return 'already-exists';
  return codes.get(code) ?? 'failed';
}
