import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import type { Output } from '../io.ts';
import { entryTypes, type TarEntries, type TarHeader } from '../tar/index.ts';

/** Where an archive of a pod's file or folder goes. */
export interface Extraction {
  /** Path in the pod. */
  readonly source: string;
  /** Local file or folder. */
  readonly destination: string;
  readonly warnings: Output;
}

/**
 * Writes the files of an archive below a local folder and nowhere else: the pod may send what it likes. Links are not
 * made, since they could lead elsewhere.
 */
export class Extractor implements TarEntries {
  readonly #prefix: string;
  readonly #extraction: Extraction;
  readonly #destination: string;
  #file: number | undefined;

  constructor(extraction: Extraction) {
    this.#extraction = extraction;
    this.#prefix = stripShortcuts(posix.normalize(extraction.source.replace(/^\/+/, '')).replace(/\/+$/, ''));
    this.#destination = extraction.destination;
  }

  /** @throws Error for an entry that was not asked for, and when it cannot be written */
  onEntry({ name, type, linkName }: TarHeader): void {
    const inside = this.#insideOf(name.replace(/^(?:\.\/)+/, ''));
    const path = this.#pathOf(inside, type);
    if (!isBelow(this.#destination, path)) {
      this.#warn(`file ${JSON.stringify(path)} is outside target destination, skipping`);
      return;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    if (type === entryTypes.directory) mkdirSync(path, { recursive: true, mode: 0o755 });
    else if (type === entryTypes.file) this.#file = openSync(path, 'w', 0o666);
    else if (type === entryTypes.symbolicLink) {
      this.#warn(`skipping symlink: ${JSON.stringify(path)} -> ${JSON.stringify(linkName)}`);
    } else this.#warn(`skipping what is no file: ${JSON.stringify(path)}`);
  }

  onContent(bytes: Buffer): void {
    if (this.#file === undefined) return;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  onEntryEnd(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** The path below what was asked for. */
  #insideOf(name: string): string {
    const inside = name.slice(this.#prefix.length);
    const isAsked = name.startsWith(this.#prefix) && (this.#prefix === '' || /^(?:\/|$)/.test(inside));
    if (!isAsked) throw new Error('tar contents corrupted');
    return inside;
  }

  /** A single file goes into a folder that is there. */
  #pathOf(inside: string, type: string): string {
    const path = join(this.#destination, inside);
    const isWhole = inside === '' && type === entryTypes.file;
    const isFolder = isWhole && statSync(path, { throwIfNoEntry: false })?.isDirectory();
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
