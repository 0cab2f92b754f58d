/** The message of what was thrown, which may be anything: of an error its message, else its text. Never throws. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'unknown error'; // an object whose conversion to text throws
  }
}

/** What was thrown as an error: itself, or one that has its text. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorText(error));
}

/** What a system call failed with, such as `ENOENT`; undefined for errors of another kind. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
