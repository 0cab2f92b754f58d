import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import { ManifestError } from './manifest-error.ts';
import { maxManifestBytes } from './parse-manifest.ts';

/** What one scan of a path found. */
export interface ManifestsFound {
  readonly pods: readonly Pod[];
  readonly kind: 'directory' | 'file' | 'missing';
}

/** How manifests of static pods are decoded. */
export interface ManifestFilesOptions {
  readonly decoder: ManifestDecoder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is known of a file: nothing is read again while its stamp stays. */
interface KnownFile {
  /** Empty: another scan must read it again. */
  readonly stamp: string;
  /** Undefined: it holds no usable pod. */
  readonly pod: Pod | undefined;
  readonly fault?: string | undefined;
}

/** File systems tell times in steps; a change within one step of the last one could go unseen. */
const settlingMs = 1000;

/** Manifests of a path, read and decoded when they have changed. What is wrong is logged when it is first seen. */
export class ManifestFiles {
  readonly #options: ManifestFilesOptions;
  #known: ReadonlyMap<string, KnownFile> = new Map();
  /** What was wrong at the last scan, by path. */
  #faults: ReadonlyMap<string, string> = new Map();

  constructor(options: ManifestFilesOptions) {
    this.#options = options;
  }

  /** Looks at a directory or file. @throws Error of the system when the path cannot be looked at. */
  async read(path: string): Promise<ManifestsFound> {
    const scan = new ManifestScan(this.#options, this.#known);
    const kind = await scan.at(path);
    this.#known = scan.known;
    for (const [at, fault] of scan.faults) {
      if (this.#faults.get(at) !== fault) this.#options.logger.error(fault, { path: at });
    }
    this.#faults = scan.faults;
    const pods = [...scan.known.values()].flatMap(({ pod }) => (pod === undefined ? [] : [pod]));
    return { pods, kind };
  }
}

/** One scan. */
class ManifestScan {
  readonly known = new Map<string, KnownFile>();
  readonly faults = new Map<string, string>();
  readonly #options: ManifestFilesOptions;
  readonly #before: ReadonlyMap<string, KnownFile>;

  constructor(options: ManifestFilesOptions, before: ReadonlyMap<string, KnownFile>) {
    this.#options = options;
    this.#before = before;
  }

  async at(path: string): Promise<ManifestsFound['kind']> {
    const found = await statOf(path);
    if (found === undefined) {
      this.faults.set(path, 'path does not exist, ignoring');
      return 'missing';
    }
    if (found.isDirectory()) {
      for (const name of await manifestNames(path)) await this.#entry(join(path, name));
      return 'directory';
    }
    if (found.isFile()) await this.#file(path);
    else this.faults.set(path, 'path is not a directory or file');
    return 'file';
  }

  async #entry(path: string): Promise<void> {
    try {
      const found = await statOf(path);
      if (found?.isFile()) await this.#file(path);
      else if (found?.isDirectory()) this.faults.set(path, 'not recursing into manifest path');
      else if (found !== undefined) this.faults.set(path, 'manifest path is not a directory or file');
    } catch (error) {
      this.faults.set(path, `can't get metadata: ${errorText(error)}`);
    }
  }

  async #file(path: string): Promise<void> {
    const before = this.#before.get(path);
    let file: KnownFile | undefined;
    try {
      file = await this.#readFile(path, before);
    } catch (error) {
      if (isMissing(error)) return;
      // A file that cannot be read now does not take its pod away.
      file = { stamp: '', pod: before?.pod, fault: errorText(error) };
    }
    if (file === undefined) return;
    this.known.set(path, file);
    if (file.fault !== undefined) this.faults.set(path, `can't process manifest file: ${file.fault}`);
  }

  async #readFile(path: string, before: KnownFile | undefined): Promise<KnownFile | undefined> {
    // What was a file may be a pipe by now, and opening that must not wait.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat({ bigint: true });
    if (!found.isFile()) return undefined;
    const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
    if (before?.stamp === stamp) return before;
    const { decoder, clock } = this.#options;
    const nowMs = clock.nowMs();
    const isSettled =
      nowMs - Number(found.mtimeMs) > settlingMs && nowMs - Number(found.ctimeMs) > settlingMs;
    const kept = isSettled ? stamp : '';
    try {
      const bytes = await readAtMost(handle, maxManifestBytes);
      return { stamp: kept, pod: decodeFile(decoder, bytes, path, nowMs) };
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      return { stamp: kept, pod: undefined, fault: error.message };
    }
  }
}

/** @throws ManifestError that names the file when it holds no pod. */
function decodeFile(decoder: ManifestDecoder, bytes: Buffer, path: string, nowMs: number): Pod {
  try {
    return decoder.decodePod(bytes, { source: 'file', location: path }, nowMs);
  } catch (cause) {
    if (!(cause instanceof ManifestError) || cause.isDecoded) throw cause;
    const message = `${path}: couldn't parse as pod(${cause.message}), please check config file`;
    throw new ManifestError(message, { isDecoded: false, cause });
  }
}

/** @throws ManifestError when there is more. */
async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    length += bytesRead;
    if (length > maxBytes) throw new ManifestError('the read limit is reached', { isDecoded: false });
    parts.push(buffer.subarray(0, bytesRead));
  }
}

/** Names of a directory's manifests, sorted: all but those with a leading dot. */
async function manifestNames(path: string): Promise<string[]> {
  const names = await readdir(path);
  return names.filter((name) => !name.startsWith('.')).sort();
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
