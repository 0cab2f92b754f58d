import { errorCode } from '../../base/index.ts';

/** The message of an error; failures of the file system are worded as in release 1.20. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, path } = error as NodeJS.ErrnoException; // absent in errors of another kind
  if (code === undefined || syscall === undefined) return error.message;
  const text = /^[A-Z0-9_]+: (.*?), /.exec(error.message)?.[1] ?? code;
  return path === undefined ? `${syscall}: ${text}` : `${syscall} ${path}: ${text}`;
}

/** Whether an error says that a file is not there. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

/** Several messages as one: those of several sources in brackets, each once. */
export function joinMessages(messages: readonly string[]): string {
  const [first = '', ...others] = new Set(messages);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
