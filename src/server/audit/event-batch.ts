/** Encoded events that are delivered together. */
export interface EventBatch {
  add(text: string): void;
  /** Records all of them or none; once, and nothing is added then. @throws when they cannot be recorded. */
  deliver(): Promise<void>;
}

/** Takes lines of the log, all of them or none. The bytes are the caller's again when the promise is settled. */
export type AppendLines = (lines: Buffer) => Promise<void>;

/** Makes batches that keep their events as texts, one by one. */
export function listBatches(deliver: (events: readonly string[]) => Promise<void>): () => EventBatch {
  return () => {
    const events: string[] = [];
    return { add: (text) => void events.push(text), deliver: () => deliver(events) };
  };
}

/**
 * Makes batches that keep their events as the bytes of lines. Texts that wait for a batch to be full would be moved about by
 * the garbage collector, and joined and encoded at once; memory of a batch is used again for the next.
 */
export function lineBatches(append: AppendLines): () => EventBatch {
  let spare: Buffer | undefined;
  const giveBack = (memory: Buffer): void => {
    if (memory.length <= maxSpareBytes) spare = memory;
  };
  return () => {
    const batch = new LineBatch(spare ?? Buffer.alloc(0), append, giveBack);
    spare = undefined;
    return batch;
  };
}

const minBytes = 4096;
/** Some hundreds of events without objects. */
const maxSpareBytes = 1024 * 1024;
/** That a UTF-16 unit can take as UTF-8. */
const maxUnitBytes = 3;
const lineFeed = 0x0a;

class LineBatch implements EventBatch {
  #memory: Buffer;
  #length = 0;
  readonly #append: AppendLines;
  readonly #giveBack: (memory: Buffer) => void;

  constructor(memory: Buffer, append: AppendLines, giveBack: (memory: Buffer) => void) {
    this.#memory = memory;
    this.#append = append;
    this.#giveBack = giveBack;
  }

  add(text: string): void {
    this.#makeRoom(text.length * maxUnitBytes + 1);
    this.#length += this.#memory.write(text, this.#length);
    this.#memory[this.#length++] = lineFeed;
  }

  async deliver(): Promise<void> {
    try {
      await this.#append(this.#memory.subarray(0, this.#length));
    } finally {
      this.#giveBack(this.#memory);
    }
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length, minBytes));
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#memory = larger;
  }
}
