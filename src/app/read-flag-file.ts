import { readFile } from 'node:fs/promises';
import { reasonText } from '../base/index.ts';

/** The text of a file that a flag names. @throws Error with the flag, the file, and why it cannot be read */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(`--${flag}: read ${path}: ${reasonText(cause)}`, { cause });
  }
}
