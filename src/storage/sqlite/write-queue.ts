import { asUncertain, type StorageError, type StorageErrorCode, type WriteResult } from '../contract.ts';
import { findRevision } from '../stamp.ts';
import type { WriteBatch, WriteBatchResult } from './messages.ts';
import type { WorkerClient } from './worker-client.ts';

/** A write that waits for its commit. */
export interface PendingWrite {
  readonly verb: number;
  readonly key: string;
  /** Revision that the key must have; 0 for none. */
  readonly expected: number;
  /** Empty for a delete. */
  readonly value: Buffer;
  /** When the key ends, in milliseconds since the Unix epoch; 0 for never. */
  readonly expiresAtMs: number;
  /** Where the revision goes in `value`. */
  readonly stampAt: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: StorageError) => void;
}

/** Bounds of one transaction. */
const maxBatchWrites = 1024;
const maxBatchBytes = 8 * 1024 * 1024;

const noValue = Buffer.alloc(0);

/** Failures that end a transaction before its commit; a disk or a thread may fail at any time. */
const failsForSure: ReadonlySet<StorageErrorCode> = new Set(['disk-full', 'locked']);

export interface WriteQueueOptions {
  readonly client: WorkerClient;
  /** Whether somebody wants to see the objects that updates replace. */
  readonly wantsReplaced: () => boolean;
  /** Called in commit order with every batch that was committed. */
  readonly onCommit: (writes: readonly PendingWrite[], result: WriteBatchResult) => void;
  /** Called with what made a batch fail, before its writers learn of it. */
  readonly onFailure: (error: StorageError) => void;
}

/** Group commit: what arrives while a transaction commits goes together in the next one. */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #waiting: PendingWrite[] = [];
  #isScheduled = false;
  #isCommitting = false;
  #onIdle: (() => void) | undefined;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** @throws RangeError when the value has no `resourceVersion`. */
  write(write: {
    readonly verb: number;
    readonly key: string;
    readonly expected: number;
    readonly value?: Buffer;
    readonly expiresAtMs?: number;
  }): Promise<WriteResult> {
    const { verb, key, expected, value = noValue, expiresAtMs = 0 } = write;
    const stampAt = value === noValue ? 0 : findRevision(value);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ verb, key, expected, value, expiresAtMs, stampAt, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing waits. */
  async drain(): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isCommitting) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** After the current turn of the event loop, so that writes of requests that arrived together go together. */
  #schedule(): void {
    if (this.#isScheduled || this.#isCommitting) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    const writes = this.#take();
    if (writes.length === 0) {
      this.#onIdle?.();
      return;
    }
    this.#isCommitting = true;
    const batch = packBatch(writes, this.#options.wantsReplaced());
    this.#options.client.send<'write'>(
      batch,
      {
        resolve: (result) => {
          this.#isCommitting = false;
          this.#options.onCommit(writes, result);
          this.#schedule();
        },
        reject: (error) => {
          this.#isCommitting = false;
          this.#options.onFailure(error);
          const failure = failsForSure.has(error.code) ? error : asUncertain(error);
          for (const write of writes) write.reject(failure);
          this.#schedule();
        },
      },
      [batch.bytes],
    );
  }

  #take(): readonly PendingWrite[] {
    let bytes = 0;
    let count = 0;
    for (const { value } of this.#waiting) {
      if (count >= maxBatchWrites || (count > 0 && bytes + value.length > maxBatchBytes)) break;
      bytes += value.length;
      count++;
    }
    const rest = this.#waiting.splice(count);
    const taken = this.#waiting;
    this.#waiting = rest;
    return taken;
  }
}

function packBatch(writes: readonly PendingWrite[], wantsReplaced: boolean): WriteBatch {
  let length = 0;
  const ends = writes.map(({ value }) => {
    length += value.length;
    return length;
  });
  const bytes = new ArrayBuffer(length);
  const target = Buffer.from(bytes);
  writes.forEach(({ value }, index) => {
    value.copy(target, (ends[index] ?? 0) - value.length);
  });
  return {
    kind: 'write',
    verbs: writes.map(({ verb }) => verb),
    keys: writes.map(({ key }) => key),
    expected: writes.map(({ expected }) => expected),
    expiresAt: writes.map(({ expiresAtMs }) => expiresAtMs),
    ends,
    bytes,
    wantsReplaced,
  };
}
