import { RuntimeError, type RuntimeErrorCode } from '../../runtime/index.ts';

/** How the reference shows where a failure of the runtime comes from. */
const codeNames: Partial<Readonly<Record<RuntimeErrorCode, string>>> = {
  'not-found': 'NotFound',
  'already-exists': 'AlreadyExists',
  invalid: 'InvalidArgument',
  denied: 'PermissionDenied',
  unsupported: 'Unimplemented',
  'too-large': 'ResourceExhausted',
  timeout: 'DeadlineExceeded',
  unavailable: 'Unavailable',
  cancelled: 'Canceled',
  closed: 'Canceled',
};

/** A failure as clients are told: the runtime's with its kind, others by their message. */
export function describeFailure(error: unknown): string {
  if (error instanceof RuntimeError) {
    const details = error.message.replace(/^[A-Z]\w+: /, ''); // the name of the call
    return `rpc error: code = ${codeNames[error.code] ?? 'Unknown'} desc = ${details}`;
  }
  return error instanceof Error ? error.message : String(error);
}
