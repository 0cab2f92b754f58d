/**
 * The message of what was thrown, which may be anything: of an error its message, else its text; of a system call that
 * failed the words of the operating system, as in `open /etc/x: no such file or directory`. Never throws.
 */
export function errorText(error: unknown): string {
  if (error instanceof Error) return systemErrorText(error) ?? error.message;
  try {
    return String(error);
  } catch {
    return 'unknown error'; // an object whose conversion to text throws
  }
}

/** The same without what was done to which file, for messages that say so themselves: `no such file or directory`. */
export function reasonText(error: unknown): string {
  return systemReason(error) ?? errorText(error);
}

/** The same for a file that the system's error may not name, such as a directory that was read. */
export function fileErrorText(error: unknown, path: string): string {
  return systemErrorText(error, path) ?? errorText(error);
}

/** What was thrown as an error: itself, or one that has its text. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorText(error));
}

/** What a system call failed with, such as `ENOENT`; undefined for errors of another kind. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Words of the C library, where the runtime has others for the same code. */
const words = new Map([
  ['E2BIG', 'argument list too long'],
  ['EBUSY', 'device or resource busy'],
  ['EEXIST', 'file exists'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENFILE', 'too many open files in system'],
  ['ENOTSUP', 'operation not supported'],
  ['ETXTBSY', 'text file busy'],
  ['EXDEV', 'invalid cross-device link'],
]);

/** System calls by the names that operators know them by. */
const operations = new Map([
  ['scandir', 'open'],
  ['unlink', 'remove'],
  ['rm', 'remove'],
  ['rmdir', 'remove'],
  ['copyfile', 'copy'],
]);

/** What the system said of a call that has to do with files; the runtime writes `CODE: reason, call 'path'`. */
function systemReason(error: unknown): string | undefined {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined || !('syscall' in error)) return undefined;
  const { syscall = '', errno = 0 }: SystemFields = Object(error);
  // Of a program that does not start the runtime tells the code only.
  if (syscall.startsWith('spawn') && error.message === `${syscall} ${code}`)
    return words.get(code) ?? process.getBuiltinModule('node:util').getSystemErrorMessage(errno);
  if (!error.message.startsWith(`${code}: `)) return undefined;
  const reason = error.message.slice(code.length + 2);
  return words.get(code) ?? reason.slice(0, reason.indexOf(`, ${syscall}`));
}

/** What errors of system calls carry beside their code. */
interface SystemFields {
  readonly syscall?: string;
  readonly errno?: number;
  readonly path?: string;
  readonly dest?: string;
}

function systemErrorText(error: unknown, otherwise?: string): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined) return undefined;
  const { syscall = '', path = otherwise, dest }: SystemFields = Object(error);
  const place = [path, dest].filter((part) => part !== undefined).join(' ');
  const operation = syscall.startsWith('spawn') ? 'fork/exec' : (operations.get(syscall) ?? syscall);
  return `${operation}${place === '' ? '' : ` ${place}`}: ${reason}`;
}
