import { type ServiceError, status } from '@grpc/grpc-js';

/** Status codes of gRPC as Go spells them (google.golang.org/grpc/codes), by their numbers. */
const codeNames = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const;

/** A status code of gRPC. */
export type GrpcErrorCode = (typeof codeNames)[number];

/** More of a message is not passed on. */
const maxDetailsLength = 4096;
/** After these the call may still be carried out (release 1.20: operations whose end is not known). */
const openEnds: ReadonlySet<GrpcErrorCode> = new Set([
  'Canceled',
  'DeadlineExceeded',
  'Unavailable',
  'ResourceExhausted',
  'Aborted',
]);

/** A failed call, worded as release 1.20 shows it: `rpc error: code = Internal desc = ...`. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: GrpcErrorCode;
  /** What the service said, at most 4096 characters. */
  readonly details: string;

  constructor(code: GrpcErrorCode, details: string, options: ErrorOptions = {}) {
    super(`rpc error: code = ${code} desc = ${details}`, options);
    this.code = code;
    this.details = details;
  }

  /** The number of the code. */
  get status(): number {
    return codeNames.indexOf(this.code);
  }

  /** Whether the service has finished with the call; otherwise it may still be at it, or have done it. */
  get isFinal(): boolean {
    return !openEnds.has(this.code);
  }
}

/** The failure of a call as the library gives it. */
export function toGrpcError(failure: ServiceError): GrpcError {
  const code = codeNames[failure.code] ?? 'Unknown';
  const details = failure.code === status.DEADLINE_EXCEEDED ? 'context deadline exceeded' : failure.details;
  return new GrpcError(code, details.slice(0, maxDetailsLength), { cause: failure });
}
