import { errorText } from '../../base/index.ts';
import { RuntimeError, type RuntimeErrorCode } from './runtime-error.ts';

/** Names of the statuses that calls end with. Runtimes have no status of its own for a name that is taken. */
const statusNames: Partial<Record<RuntimeErrorCode, string>> = {
  'not-found': 'NotFound',
  invalid: 'InvalidArgument',
  denied: 'PermissionDenied',
  unsupported: 'Unimplemented',
  'too-large': 'ResourceExhausted',
  timeout: 'DeadlineExceeded',
  unavailable: 'Unavailable',
  cancelled: 'Canceled',
  closed: 'Canceled',
};

/** A failure as most texts of release 1.20 quote it: that of a call with its status. */
export function formatRuntimeFailure(error: unknown): string {
  if (!(error instanceof RuntimeError)) return runtimeFailureDetail(error);
  return `rpc error: code = ${statusNames[error.code] ?? 'Unknown'} desc = ${error.detail}`;
}

/** A failure as statuses of containers quote it: the runtime's own words where it has any. */
export function runtimeFailureDetail(error: unknown): string {
  if (error instanceof RuntimeError) return error.detail;
  return errorText(error);
}
