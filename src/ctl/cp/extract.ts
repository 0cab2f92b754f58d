import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { extract, type Header } from 'tar-stream';
import type { Output } from '../io.ts';
import { asBytes } from './bytes.ts';

/** Where an archive of a pod's file or folder goes. */
export interface Extraction {
  /** Path in the pod. */
  readonly source: string;
  /** Local file or folder. */
  readonly destination: string;
  readonly warnings: Output;
}

/** Archives of before POSIX are read as well: the library's types do not know of that option. */
const archiveOptions = { allowUnknownFormat: true, highWaterMark: 64 * 1024 };

/**
 * Writes the files of an archive, which comes in parts, below a local folder and nowhere else: the pod may send what it
 * likes. Links are not made, since they could lead elsewhere.
 */
export class Extractor {
  /** Rejected when something cannot be written, was not asked for, or is no archive. */
  readonly finished: Promise<void>;
  readonly #archive = extract(archiveOptions);
  readonly #prefix: string;
  readonly #extraction: Extraction;
  readonly #destination: string;
  #hasAll = false;

  constructor(extraction: Extraction) {
    this.#extraction = extraction;
    this.#prefix = stripShortcuts(posix.normalize(extraction.source.replace(/^\/+/, '')).replace(/\/+$/, ''));
    this.#destination = extraction.destination;
    this.finished = this.#run();
    this.finished.catch(() => {}); // told to whoever waits
  }

  push(bytes: Buffer): void {
    this.#archive.write(bytes);
  }

  /** To be called when nothing more comes. */
  end(): void {
    this.#hasAll = true;
    this.#archive.end(undefined);
  }

  async #run(): Promise<void> {
    for await (const entry of this.#read(this.#archive)) {
      const path = this.#prepare(entry.header);
      if (path === undefined) entry.resume();
      else await this.#write(path, entry);
    }
  }

  /** Waits for no disk, so that what comes meanwhile does not pile up. */
  async #write(path: string, content: AsyncIterable<unknown>): Promise<void> {
    const file = openSync(path, 'w', 0o666);
    try {
      for await (const part of this.#read(content)) {
        const bytes = asBytes(part);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      }
    } finally {
      closeSync(file);
    }
  }

  /** What is read of the archive, and what is wrong with that in the words of the release. */
  async *#read<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* source;
    } catch (cause) {
      throw new Error(this.#hasAll ? 'unexpected EOF' : 'archive/tar: invalid tar header', { cause });
    }
  }

  /** Makes the folders of an entry. @returns the path of the file that its content is for */
  #prepare({ name, type, linkname }: Header): string | undefined {
    const inside = this.#insideOf(name.replace(/^(?:\.\/)+/, ''));
    const path = this.#pathOf(inside, type === 'file');
    if (!isBelow(this.#destination, path)) {
      this.#warn(`file ${JSON.stringify(path)} is outside target destination, skipping`);
      return undefined;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    if (type === 'file') return path;
    if (type === 'directory') mkdirSync(path, { recursive: true, mode: 0o755 });
    else if (type === 'symlink') {
      this.#warn(`skipping symlink: ${JSON.stringify(path)} -> ${JSON.stringify(linkname)}`);
    } else this.#warn(`skipping what is no file: ${JSON.stringify(path)}`);
    return undefined;
  }

  /** The path below what was asked for. */
  #insideOf(name: string): string {
    const inside = name.slice(this.#prefix.length);
    const isAsked = name.startsWith(this.#prefix) && (this.#prefix === '' || /^(?:\/|$)/.test(inside));
    if (!isAsked) throw new Error('tar contents corrupted');
    return inside;
  }

  /** A single file goes into a folder that is there. */
  #pathOf(inside: string, isFile: boolean): string {
    const path = join(this.#destination, inside);
    const isFolder = isFile && inside === '' && statSync(path, { throwIfNoEntry: false })?.isDirectory();
    return isFolder ? join(path, basename(this.#prefix)) : path;
  }

  #warn(text: string): void {
    this.#extraction.warnings.write(`warning: ${text}\n`);
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || way === stripShortcuts(way);
}

/** Without leading steps upwards. */
function stripShortcuts(path: string): string {
  const clean = posix.normalize(path).replace(/^(?:\.\.\/)+/, '');
  return clean === '.' || clean === '..' ? '' : clean.replace(/^\//, '');
}
