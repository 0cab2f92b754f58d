import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorText, makeDirectory, reasonText, writeFileAtomic } from '../../base/index.ts';
import { PkiError } from './pki-error.ts';

/** Where keys and certificates are kept, by file name. */
export interface KeyStore {
  /** The content, or `undefined` when there is no such file. */
  read(name: string): Promise<string | undefined>;
  /** Replaces the file as a whole: readers see the old or the new content. */
  write(name: string, content: string): Promise<void>;
  /** Removes the file, if it is there. */
  remove(name: string): Promise<void>;
  /** How messages call a file. */
  describe(name: string): string;
}

/** Files of one directory (made when needed, mode 0700): certificates are for everybody, keys for their owner only. */
export function directoryKeyStore(directory: string): KeyStore {
  const pathOf = (name: string) => join(directory, name);
  return {
    describe: pathOf,
    async read(name) {
      try {
        return await readFile(pathOf(name), 'utf8');
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw new PkiError('unreadable', `read ${pathOf(name)}: ${reasonText(error)}`, { cause: error });
      }
    },
    async write(name, content) {
      const mode = name.endsWith('.crt') ? 0o644 : 0o600;
      try {
        await makeDirectory(directory);
        await writeFileAtomic(pathOf(name), content, { isDurable: true, mode });
      } catch (error) {
        throw new PkiError('unwritable', errorText(error), { cause: error });
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

/** Keeps keys in memory, for servers that leave nothing behind. */
export function memoryKeyStore(): KeyStore {
  const files = new Map<string, string>();
  return {
    describe: (name) => name,
    read: async (name) => files.get(name),
    async write(name, content) {
      files.set(name, content);
    },
    async remove(name) {
      files.delete(name);
    },
  };
}
