import { readFileSync } from 'node:fs';
import { fileErrorText } from '../base/index.ts';
import { CtlError } from './errors.ts';

/** The content of a file that the user named. @throws CtlError as the client of release 1.20 says it */
export function readLocalFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CtlError(fileErrorText(cause, path), { cause });
  }
}
