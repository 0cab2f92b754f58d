import type { Logger } from '../../base/index.ts';
import { internalError } from '../../machinery/errors/index.ts';
import { type Storage, StorageError, type StoredObject } from '../../storage/index.ts';
import { translateStorageError } from '../storage-errors.ts';
import { Bitmap } from './bitmap.ts';
import type { NumberPool } from './number-pool.ts';
import { Pool } from './pool.ts';
import { decodeRangeAllocation, encodeRangeAllocation } from './range-allocation.ts';

/** The pool's place in the store and its size: slots 0 to `size` - 1. */
export interface SharedPoolOptions {
  readonly storage: Storage;
  /** Where the allocation is stored. */
  readonly key: string;
  /** The range as the stored object names it. All who share the pool must agree. */
  readonly range: string;
  readonly size: number;
  /** What is given out, in messages: `serviceipallocations`. */
  readonly what: string;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** What a repair did. */
export interface PoolRepair {
  /** Numbers that were in use and not marked so. */
  readonly marked: number;
  /** Numbers that nobody used. */
  readonly freed: number;
}

/** The allocation as it was last seen. */
interface State {
  readonly revision: number;
  /** Never changed. */
  readonly bits: Bitmap;
}

/** Reads the numbers and may change them. It is run again when another process was faster. */
type Step<T> = (bits: Bitmap) => T;

interface Pending {
  readonly step: Step<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How often a change is tried again after other processes' changes came first. Each try means that one succeeded. */
const maxAttempts = 100;

/**
 * Numbers that the processes of one store share: release 1.20's RangeAllocation object, changed by comparing its
 * revision. What is asked for while a change is on its way goes into the next one together.
 */
export class SharedPool implements NumberPool {
  readonly #options: SharedPoolOptions;
  #state: State | undefined;
  #queue: Pending[] = [];
  #isRunning = false;
  /** Numbers that the last repair found allocated but unused. */
  #suspects: ReadonlySet<number> = new Set();

  constructor(options: SharedPoolOptions) {
    this.#options = options;
  }

  take(number: number): Promise<boolean> {
    return this.#run((bits) => !bits.has(number) && (bits.add(number) || number < 0 || number >= bits.size));
  }

  /** Random, so that a number just freed is not used again at once, and processes seldom want the same. */
  takeAny(): Promise<number | undefined> {
    const { size, random } = this.#options;
    const start = Math.floor(random() * size);
    return this.#run((bits) => {
      const number = bits.nextFree(start);
      if (number !== undefined) bits.add(number);
      return number;
    });
  }

  async free(numbers: readonly number[]): Promise<void> {
    try {
      await this.#run((bits) => {
        for (const number of numbers) bits.delete(number);
      });
    } catch (error) {
      const { key, logger } = this.#options;
      logger.error('allocation release failed; the next repair finds it', { key, error });
    }
  }

  async trial(): Promise<NumberPool> {
    const { size, random } = this.#options;
    const { bits } = await this.#guarded(() => this.#read());
    return new Pool(size, random, bits);
  }

  /**
   * Marks all numbers in use, creates the stored object when it is missing or of another range, and frees numbers that
   * both this and the previous repair found allocated but unused: a write that is not stored yet may hold a number that
   * no service shows.
   */
  async repair(used: ReadonlySet<number>): Promise<PoolRepair> {
    await this.#guarded(() => this.#ensureStored(used));
    const before = this.#suspects;
    const result = await this.#run((bits) => {
      let marked = 0;
      for (const number of used) if (bits.add(number)) marked++;
      const unused = [...bits].filter((number) => !used.has(number));
      const leaked = unused.filter((number) => before.has(number));
      for (const number of leaked) bits.delete(number);
      return { marked, freed: leaked.length, unused: unused.filter((number) => !before.has(number)) };
    });
    this.#suspects = new Set(result.unused);
    return { marked: result.marked, freed: result.freed };
  }

  #run<T>(step: Step<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ step, resolve: resolve as (result: unknown) => void, reject }); // each gets its own step's result
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        const results = await this.#guarded(() => this.#apply(batch));
        for (const [at, { resolve }] of batch.entries()) resolve(results[at]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** The results of all steps, which together are one write; all hold for the state that it changed. */
  async #apply(batch: readonly Pending[]): Promise<unknown[]> {
    let state = this.#state ?? (await this.#read());
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const bits = state.bits.clone();
      const results = batch.map(({ step }) => step(bits));
      const next = isSame(bits, state.bits) ? await this.#read() : await this.#write(state, bits);
      // Unchanged since: what was refused is truly taken, or the change is stored.
      if (next === 'stored' || next.revision === state.revision) return results;
      state = next;
    }
    throw this.#failure('too many others change it');
  }

  /** The stored allocation as it is now. @throws StatusError when there is none, or one of another range. */
  async #read(): Promise<State> {
    const { storage, key } = this.#options;
    return this.#remember(await storage.get(key));
  }

  /** Stores the change, or gives the state that came first. */
  async #write(state: State, bits: Bitmap): Promise<State | 'stored'> {
    const { storage, key, range } = this.#options;
    const result = await storage.update(key, state.revision, encodeRangeAllocation({ range, bits }));
    if (result.kind === 'conflict') return this.#remember(result.current);
    this.#state = { revision: result.revision, bits };
    return 'stored';
  }

  #remember(object: StoredObject | undefined): State {
    this.#state = undefined;
    if (object === undefined) throw this.#failure('it is not stored');
    const { size, range } = this.#options;
    const stored = decodeRangeAllocation(object.bytes, size);
    if (stored.range !== range) throw this.#failure(`it is stored for the range ${stored.range}`);
    this.#state = { revision: object.revision, bits: stored.bits };
    return this.#state;
  }

  async #ensureStored(used: ReadonlySet<number>): Promise<void> {
    const { storage, key, range, size } = this.#options;
    const bits = new Bitmap(size);
    for (const number of used) bits.add(number);
    const value = encodeRangeAllocation({ range, bits });
    const stored = await storage.get(key);
    // Other processes that create it at the same time do so from the same services.
    if (stored === undefined) await storage.create(key, value);
    else if (!this.#isOwn(stored)) await storage.update(key, stored.revision, value);
  }

  #isOwn({ bytes }: StoredObject): boolean {
    const { size, range } = this.#options;
    try {
      return decodeRangeAllocation(bytes, size).range === range;
    } catch {
      return false; // an unreadable allocation is replaced
    }
  }

  #failure(reason: string): Error {
    return internalError(`cannot allocate resources of type ${this.#options.what} at this time: ${reason}`);
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      // A failed write may have been applied: the state is unknown.
      this.#state = undefined;
      if (error instanceof StorageError) throw translateStorageError(error);
      throw error;
    }
  }
}

function isSame(a: Bitmap, b: Bitmap): boolean {
  return a.count === b.count && a.toBytes().equals(b.toBytes());
}
