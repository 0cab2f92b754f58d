import { readFile, rename, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorText, makeDirectory, writeFileAtomic } from '../../base/index.ts';
import { type CertificatePair, checkPair, joinPair, splitPair } from './certificate-pair.ts';

/** Where certificates are stored: files `NAME-DATE.pem` and the link `NAME-current.pem` in one folder. */
export interface CertificateStoreOptions {
  readonly directory: string;
  /** First part of the files' names, such as `nodeagent-client`. */
  readonly name: string;
}

const modes = { directory: 0o755, pair: 0o600 } as const;

/**
 * Certificates of one purpose in a directory: each with its key in `NAME-TIME.pem`, and a link `NAME-current.pem` to
 * the newest. Older ones are kept for troubleshooting.
 */
export class CertificateStore {
  readonly #directory: string;
  readonly #name: string;

  constructor({ directory, name }: CertificateStoreOptions) {
    this.#directory = resolve(directory);
    this.#name = name;
  }

  /** Where the newest pair is. */
  get currentPath(): string {
    return join(this.#directory, `${this.#name}-current.pem`);
  }

  /** The newest pair; undefined when there is none. @throws Error when it cannot be read, or is no pair */
  async read(): Promise<CertificatePair | undefined> {
    const text = await readFile(this.currentPath, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    try {
      const pair = splitPair(text);
      checkPair(pair);
      return pair;
    } catch (cause) {
      const why = errorText(cause);
      throw new Error(`read certificate ${this.currentPath}: ${why}`, { cause });
    }
  }

  /** Keeps a pair as the newest: a reader sees the former one or this one. */
  async write(pair: CertificatePair, nowMs: number): Promise<void> {
    await makeDirectory(this.#directory, modes.directory);
    const path = join(this.#directory, `${this.#name}-${formatTime(nowMs)}.pem`);
    await writeFileAtomic(path, joinPair(pair), { mode: modes.pair, isDurable: true });
    const link = join(this.#directory, `${this.#name}-updated.pem`);
    await rm(link, { force: true });
    await symlink(path, link);
    await rename(link, this.currentPath);
  }
}

/** `2026-11-21-10-00-00`, in universal time. */
function formatTime(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replace(/[T:]/g, '-');
}
