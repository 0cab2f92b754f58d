import {
  expired,
  internalError,
  otherFailure,
  type StatusError,
  serviceUnavailable,
} from '../machinery/errors/index.ts';
import type { StorageError } from '../storage/index.ts';

/** Text of a read of a version that is no longer kept. */
export const tooOldResourceVersion = 'The resourceVersion for the provided list is too old.';

/** Text of a read of just the state that a version will be: the words of the reference's store, whichever store this is. */
export const futureRevision = 'etcdserver: mvcc: required revision is a future revision';

/** The API error for a storage failure: the one place where the two meet. */
export function translateStorageError(error: StorageError): StatusError {
  switch (error.code) {
    case 'compacted':
      return expired(tooOldResourceVersion);
    case 'future-revision':
      return tooLargeResourceVersion(error.message);
    case 'disk-full':
      return otherFailure(
        507,
        'InsufficientStorage',
        'storage is full: nothing was written; free space in the data directory and try again',
        { retryAfterSeconds: 5 },
      );
    case 'too-large':
      // Clients know the words of the reference's store, whichever store this is.
      return otherFailure(500, '', error.message);
    case 'unreadable':
      // The message names the key and what is wrong, but no contents of the value.
      return internalError(error.message);
    case 'unavailable':
    case 'closed':
    case 'locked':
      return unavailable(error);
    default:
      return internalError('storage failed');
  }
}

/**
 * 503 with `Retry-After` only for failures that certainly changed nothing: clients repeat such requests by themselves.
 */
function unavailable({ mayHaveWritten }: StorageError): StatusError {
  const message = 'storage is unavailable, try again later';
  if (mayHaveWritten) return serviceUnavailable(message);
  return otherFailure(503, 'ServiceUnavailable', message, { retryAfterSeconds: 1 });
}

/** 504 for a version that has not happened yet, after the wait for it was over. */
export function tooLargeResourceVersion(detail: string, retryAfterSeconds = 1): StatusError {
  return otherFailure(504, 'Timeout', `Timeout: Too large resource version: ${detail}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}
