import {
  CompactJsonError,
  type MetadataParts,
  parseWithoutOwners,
  splitMetadata,
} from '../../machinery/codec/index.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../machinery/meta/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';

/** Texts that are remembered at most, in characters: some hundred records of ordinary objects. */
const defaultBudget = 512 * 1024;
const nameLength = '"managedFields":'.length;

/** What is stored, and what it says. */
export interface StoredObject {
  readonly stored: CachedObject;
  /** The decoded object, in the storage version; never changed. */
  readonly old: ApiObject;
  /** Where its metadata are in the bytes, when all other bytes may be written again as they are. */
  readonly place: Pick<MetadataParts, 'start' | 'end'> | undefined;
}

/**
 * Reads stored objects with their records of owners. These are half of a small object and alike in objects that are written
 * together, so that recent ones are remembered by their text, in two generations.
 */
export class StoredOwners {
  readonly #halfBudget: number;
  #younger = new Map<string, ManagedFieldsEntry[]>();
  #older = new Map<string, ManagedFieldsEntry[]>();
  #youngerLength = 0;

  constructor({ budget = defaultBudget }: { readonly budget?: number } = {}) {
    this.#halfBudget = budget / 2;
  }

  /**
   * A fresh tree of a stored object, whose record of owners is shared with others: its entries must not be changed.
   *
   * @throws StorageError `unreadable` when others damaged the value so that its beginning does not show it.
   */
  decode(stored: CachedObject): ApiObject {
    return this.read(stored).old;
  }

  /** The same, with where the object's metadata are in the bytes if these are of this process's making. */
  read(stored: CachedObject): StoredObject {
    const { bytes, isCanonical } = stored;
    try {
      const parts = splitMetadata(bytes);
      const place = isCanonical ? parts : undefined;
      if (parts.ownersStart === parts.ownersEnd) return { stored, old: decodeWhole(stored), place };
      const start = bytes.indexOf('[', parts.ownersStart + nameLength);
      // Only canonical objects are ever written below a resource's prefix.
      const old = parseWithoutOwners(bytes, parts);
      old.metadata.managedFields = this.#read(bytes.toString('utf8', start, parts.ownersEnd));
      return { stored, old, place };
    } catch (error) {
      // What others wrote otherwise is read, or found to be damaged, as a whole.
      if (error instanceof CompactJsonError || error instanceof SyntaxError)
        return { stored, old: decodeWhole(stored), place: undefined };
      throw error;
    }
  }

  #read(text: string): ManagedFieldsEntry[] {
    let entries = this.#younger.get(text);
    if (entries !== undefined) return entries;
    // The server wrote it, or its like.
    entries = this.#older.get(text) ?? (JSON.parse(text) as ManagedFieldsEntry[]);
    if (this.#youngerLength + text.length > this.#halfBudget) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerLength = 0;
    }
    if (text.length > this.#halfBudget) return entries;
    this.#younger.set(text, entries);
    this.#youngerLength += text.length;
    return entries;
  }
}

/** Only canonical objects are ever written below a resource's prefix. */
const decodeWhole = (stored: CachedObject): ApiObject => stored.decode() as ApiObject;
