import { readFile } from 'node:fs/promises';

/** Text of a small file without white space at its ends; empty when it cannot be read. */
export async function readSystemFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    // Not every machine has all of these files.
    return '';
  }
}
