import { readdir } from 'node:fs/promises';
import { isMissing } from './describe-error.ts';

/** What is in a folder; nothing where there is none. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
