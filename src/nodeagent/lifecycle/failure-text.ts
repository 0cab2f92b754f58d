import { RuntimeError, type RuntimeErrorCode } from '../runtime/index.ts';

/** Names of the codes as statuses of the runtime interface have them; all others are `Unknown`. */
const codeNames: Partial<Record<RuntimeErrorCode, string>> = {
  cancelled: 'Canceled',
  denied: 'PermissionDenied',
  invalid: 'InvalidArgument',
  'not-found': 'NotFound',
  timeout: 'DeadlineExceeded',
  'too-large': 'ResourceExhausted',
  unavailable: 'Unavailable',
  unsupported: 'Unimplemented',
};

/** What events say of a failure where the reference shows the whole error of a call. */
export function wholeFailureText(error: unknown): string {
  if (!(error instanceof RuntimeError)) return failureText(error);
  return `rpc error: code = ${codeNames[error.code] ?? 'Unknown'} desc = ${error.detail}`;
}

/** What statuses and events say of a failure: the runtime's own words where it has any. */
export function failureText(error: unknown): string {
  if (error instanceof RuntimeError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
