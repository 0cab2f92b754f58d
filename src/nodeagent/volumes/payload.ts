import { posix } from 'node:path';

/** A file of a volume. */
export interface PayloadFile {
  readonly content: Buffer;
  /** Permission bits. */
  readonly mode: number;
  /** Owner, when it is not the agent's user. */
  readonly userId?: number | undefined;
}

/** Files of a volume by relative path. */
export type Payload = ReadonlyMap<string, PayloadFile>;

const maxPathLength = 4096;
const maxNameLength = 255;

/** The same payload with paths in their shortest form. @throws Error for a path that leads elsewhere or is too long. */
export function checkPayload(payload: Payload): Payload {
  const checked = new Map<string, PayloadFile>();
  for (const [path, file] of payload) {
    checkPath(path);
    checked.set(posix.normalize(path), file);
  }
  return checked;
}

function checkPath(path: string): void {
  if (path === '') throw new Error('invalid path: must not be empty: ""');
  if (posix.isAbsolute(path)) throw new Error(`invalid path: must be relative path: ${path}`);
  if (path.length > maxPathLength) {
    throw new Error(`invalid path: must be less than or equal to ${maxPathLength} characters`);
  }
  const names = path.split('/');
  if (names.includes('..')) throw new Error(`invalid path: must not contain '..': ${path}`);
  if (names.some((name) => Buffer.byteLength(name) > maxNameLength)) {
    throw new Error(`invalid path: filenames must be less than or equal to ${maxNameLength} characters`);
  }
  // Names that begin with two dots are reserved for the folders that `writePayload` makes.
  if (path.startsWith('..')) throw new Error(`invalid path: must not start with '..': ${path}`);
}
