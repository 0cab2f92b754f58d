import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Small files of `/proc` and `/sys` that describe the machine. */
export class HostFiles {
  readonly #root: string;

  /** `root` is put before every path; empty for the machine itself. */
  constructor(root = '') {
    this.#root = root;
  }

  /** Where a path really is. */
  resolve(path: string): string {
    return this.#root === '' ? path : join(this.#root, path);
  }

  /** Undefined when there is no such file, or it cannot be read. */
  async text(path: string): Promise<string | undefined> {
    return readFile(this.resolve(path), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  }

  /** The number that a file holds; undefined for none, `max` is infinite. */
  async number(path: string): Promise<number | undefined> {
    const text = await this.text(path);
    if (text === undefined || text === '') return undefined;
    const value = text === 'max' ? Number.POSITIVE_INFINITY : Number(text.split(/\s/, 1)[0]);
    return Number.isNaN(value) ? undefined : value;
  }

  /** Lines of `name value`; a colon may follow the name, and a unit the value. */
  async pairs(path: string): Promise<ReadonlyMap<string, number>> {
    const pairs = new Map<string, number>();
    for (const line of (await this.text(path))?.split('\n') ?? []) {
      const [name = '', value] = line.split(/:?\s+/, 2);
      if (value !== undefined) pairs.set(name, Number(value));
    }
    return pairs;
  }

  /** Names in a folder, sorted; none when it cannot be read. */
  async names(path: string): Promise<readonly string[]> {
    return readdir(this.resolve(path)).then(
      (names) => names.sort(),
      () => [],
    );
  }
}
