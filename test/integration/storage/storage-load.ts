import { expect } from 'chai';
import { type Storage, StorageError, type StoredObject } from '../../../src/storage/index.ts';
import type { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { assertWholeBatches } from '../../conformance/storage/subject.ts';
import { makeValue } from '../../conformance/storage/values.ts';

const writers = 4;
const keysPerWriter = 5;
const patienceMs = 30_000;
const pauseMs = 5;

/** Writers that go on, each on keys of its own, whatever fails, and note what was acknowledged. */
export class StorageLoad {
  /** Failures that the contract does not allow here. */
  readonly surprises: unknown[] = [];
  readonly #storage: Storage;
  readonly #prefix: string;
  /** `put key@revision` of every write that was acknowledged. */
  readonly #lines: string[] = [];
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(storage: Storage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#running = Promise.all(Array.from({ length: writers }, (_, writer) => this.#write(writer)));
  }

  /** Resolves when so many more writes were acknowledged. @throws Error when they are not within half a minute. */
  async succeeds(count: number): Promise<void> {
    const target = this.#lines.length + count;
    for (const lateAt = Date.now() + patienceMs; this.#lines.length < target; ) {
      if (Date.now() > lateAt) throw new Error('writes do not succeed any more');
      await pause();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /**
   * Asserts that every acknowledged write happened as it was acknowledged, that the watch saw each event once and in
   * order, and that the events explain the objects. Of a watch that was cut off, that it saw a beginning of it.
   */
  check(seen: {
    readonly watch: WatchRecorder;
    readonly objects: readonly StoredObject[];
    readonly start: number;
  }): void {
    const { watch, objects } = seen;
    assertWholeBatches(watch.batches);
    const end = watch.errors.length === 0 ? Number.POSITIVE_INFINITY : (watch.progress.at(-1) ?? seen.start);
    const covered = this.#lines.filter((line) => revisionOf(line) <= end);
    const delivered = new Set(watch.lines);
    expect(delivered).to.have.lengthOf(watch.lines.length);
    expect(covered.filter((line) => !delivered.has(line))).to.deep.equal([]);
    const latest = new Map(objects.map(({ key, revision }) => [key, revision]));
    if (watch.errors.length > 0) this.#checkObjects(latest);
    else expect([...latest].sort(byKey)).to.deep.equal([...replay(watch)].sort(byKey));
  }

  /** No object is older than the last write to it that was acknowledged. */
  #checkObjects(latest: ReadonlyMap<string, number>): void {
    const last = new Map<string, string>();
    for (const line of this.#lines) last.set(line.split(' ')[1]?.split('@')[0] ?? '', line);
    for (const [key, line] of last) {
      if (line.startsWith('put ')) expect(latest.get(key) ?? 0).to.be.at.least(revisionOf(line));
      else if (latest.has(key)) expect(latest.get(key) ?? 0).to.be.above(revisionOf(line));
    }
  }

  async #write(writer: number): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const key = `${this.#prefix}${writer}/${round % keysPerWriter}`;
      try {
        await this.#writeOnce(key, round);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'unavailable') this.surprises.push(error);
      }
      await pause();
    }
  }

  /** Reads first, because after a failure nobody knows whether the write before was applied. */
  async #writeOnce(key: string, round: number): Promise<void> {
    const current = await this.#storage.get(key);
    const value = makeValue(key, round);
    const isDelete = current !== undefined && round % 7 === 6;
    const result = isDelete
      ? await this.#storage.delete(key, current.revision)
      : current === undefined
        ? await this.#storage.create(key, value)
        : await this.#storage.update(key, current.revision, value);
    // A conflict is no surprise: a write that failed as unavailable may be applied after the key was read again.
    if (result.kind === 'ok') this.#lines.push(`${isDelete ? 'delete' : 'put'} ${key}@${result.revision}`);
  }
}

function replay({ events }: WatchRecorder): ReadonlyMap<string, number> {
  const state = new Map<string, number>();
  for (const { kind, object, revision, previous } of events) {
    expect(previous?.revision).to.equal(state.get(object.key));
    if (kind === 'put') state.set(object.key, revision);
    else state.delete(object.key);
  }
  return state;
}

function byKey([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

function revisionOf(line: string): number {
  return Number(line.slice(line.lastIndexOf('@') + 1));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
