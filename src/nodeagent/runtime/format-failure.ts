import { RuntimeError, type RuntimeErrorCode } from './runtime-error.ts';

const statusNames: Partial<Record<RuntimeErrorCode, string>> = {
  'not-found': 'NotFound',
  'already-exists': 'AlreadyExists',
  invalid: 'InvalidArgument',
  denied: 'PermissionDenied',
  unsupported: 'Unimplemented',
  'too-large': 'ResourceExhausted',
  timeout: 'DeadlineExceeded',
  unavailable: 'Unavailable',
  cancelled: 'Canceled',
};

/** Drivers begin their messages with the call. */
const callPrefix = /^[A-Z][A-Za-z]{1,40}: /;

/** A failure as statuses and events of pods quote it: a runtime's as the reference quotes the answer of a call. */
export function formatRuntimeFailure(error: unknown): string {
  if (!(error instanceof RuntimeError)) return error instanceof Error ? error.message : String(error);
  const status = statusNames[error.code] ?? 'Unknown';
  return `rpc error: code = ${status} desc = ${error.message.replace(callPrefix, '')}`;
}
