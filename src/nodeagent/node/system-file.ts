import { readFile } from 'node:fs/promises';

/** Text of a small file without white space at its ends; empty when it cannot be read. */
export async function readSystemFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    // Which of these files there are differs from machine to machine; none is an answer too.
    return '';
  }
}
