import type { ServiceError } from '@grpc/grpc-js';
import { StorageError } from '../contract.ts';

/** Status codes of the gRPC protocol that the driver tells apart. */
const code = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
} as const;

const transient: ReadonlySet<number> = new Set([
  code.cancelled,
  code.unknown,
  code.deadlineExceeded,
  code.internal,
  code.unavailable,
]);

const noLeader = 'etcdserver: no leader';

/** Messages of TLS about a certificate that is not accepted, by this side's checks and by the other's. */
const untrusted =
  /unable to (?:verify|get)[^;:]*|self[- ]signed certificate[^;:]*|certificate (?:has expired|is not yet valid)|Hostname\/IP does not match[^;]*/i;
const refused =
  /alert (?:bad certificate|unknown ca|certificate \w+|handshake failure|unsupported certificate)/i;

/**
 * Messages of failures after which the call was certainly not processed: of a member, and of the library without a
 * connection.
 */
const notSent = ['No connection established', noLeader, 'connect ECONNREFUSED'];

/** Whether another member, or the same one later, may answer the call. */
export function isTransient(failure: ServiceError): boolean {
  return transient.has(failure.code) || failure.details.startsWith('etcdserver: too many requests');
}

/** Whether a write that failed so was certainly not applied. */
export function isNotSent(failure: ServiceError): boolean {
  return failure.code === code.unavailable && notSent.some((text) => failure.details.includes(text));
}

/** Whether a member refused a call because it knows of no leader. */
export function isNoLeader({ details }: ServiceError): boolean {
  return details.includes(noLeader);
}

/** Whether there is no connection because one side does not accept the certificate of the other. */
export function isRefusedByTls({ details }: ServiceError): boolean {
  return untrusted.test(details) || refused.test(details);
}

/** Whether a write failed because its lease is gone. */
export function isLeaseLost(failure: unknown): boolean {
  return (
    failure instanceof StorageError && isServiceError(failure.cause) && failure.cause.code === code.notFound
  );
}

/** The failure of a call as the contract knows it. */
export function toStorageFailure(failure: ServiceError): StorageError {
  const { details } = failure;
  if (failure.code === code.outOfRange) {
    if (details.includes('compacted')) return new StorageError('compacted', details, { cause: failure });
    if (details.includes('future revision'))
      return new StorageError('future-revision', details, { cause: failure });
  }
  if (details.includes('request is too large') || details.includes('larger than max')) {
    return new StorageError('too-large', details, { cause: failure });
  }
  if (details.includes('database space exceeded'))
    return new StorageError('disk-full', details, { cause: failure });
  return new StorageError('unavailable', `etcd does not answer: ${reasonOf(details)}`, { cause: failure });
}

/** The cause in a failure's details; for TLS, without what the libraries add. */
function reasonOf(details: string): string {
  const [untrustedText] = untrusted.exec(details) ?? [];
  if (untrustedText !== undefined) return `its certificate is not trusted: ${untrustedText.trim()}`;
  const [refusedText] = refused.exec(details) ?? [];
  if (refusedText !== undefined) return `it does not accept the client certificate: TLS ${refusedText}`;
  return details;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}
