import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath, writeFileAtomic } from '../../base/index.ts';

/** Leads the names of files that are being written. */
const unfinished = '.';

/** A directory of small files that are replaced as a whole and survive a loss of power. One writer at a time. */
export class SubmittedFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Names and contents, sorted by name; makes the directory, and removes what was left half written. */
  async readAll(): Promise<[name: string, bytes: Buffer][]> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const found: [string, Buffer][] = [];
    for (const entry of (await readdir(this.#directory, { withFileTypes: true })).sort(byName)) {
      const path = join(this.#directory, entry.name);
      if (entry.name.startsWith(unfinished)) await rm(path, { force: true });
      else if (entry.isFile()) found.push([entry.name, await readFile(path)]);
    }
    return found;
  }

  /** Resolves when the content is on disk. */
  async write(name: string, content: string): Promise<void> {
    await writeFileAtomic(join(this.#directory, name), content, { isDurable: true });
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#directory, name), { force: true });
    await syncPath(this.#directory);
  }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
