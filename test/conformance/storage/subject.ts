import { expect } from 'chai';
import type { Storage, StorageEvent, StoredObject, WriteOptions } from '../../../src/storage/index.ts';
import { written } from './expect.ts';
import { WatchRecorder } from './recorder.ts';
import type { OpenDriver, OpenedDriver } from './suite.ts';
import { makeValue, readValue } from './values.ts';

/** Opens a driver for one test. */
export async function openSubject(openDriver: OpenDriver): Promise<Subject> {
  const opened = await openDriver();
  return new Subject(opened, await opened.storage.currentRevision());
}

/** What tests say about events: `put key@revision`. */
export function lineOf({ kind, object, revision }: StorageEvent): string {
  return `${kind} ${object.key}@${revision}`;
}

/**
 * A store in one test: names are keys below the test's folder, and nothing is assumed of revisions but their order.
 * The writes here must succeed; writes that may fail go to `storage`.
 */
export class Subject implements AsyncDisposable {
  readonly storage: Storage;
  /** Folder of the test, ends with `/`. */
  readonly prefix: string;
  /** Revision before the test's first write. */
  readonly start: number;
  /** Lines of the events of this subject's writes, in the order in which they were acknowledged. */
  readonly lines: string[] = [];
  readonly #opened: OpenedDriver;
  readonly #reopened: Storage[] = [];

  constructor(opened: OpenedDriver, start: number) {
    this.#opened = opened;
    this.storage = opened.storage;
    this.prefix = opened.prefix ?? '/';
    this.start = start;
  }

  key(name: string): string {
    return this.prefix + name;
  }

  async create(name: string, content: unknown = {}, options?: WriteOptions): Promise<StoredObject> {
    const key = this.key(name);
    return this.#note('put', written(await this.storage.create(key, makeValue(name, content), options)));
  }

  /** Replaces the state `of` that a write returned. */
  async update(of: StoredObject, content: unknown, options?: WriteOptions): Promise<StoredObject> {
    const value = makeValue(of.key, content);
    return this.#note('put', written(await this.storage.update(of.key, of.revision, value, options)));
  }

  async delete(of: StoredObject): Promise<StoredObject> {
    return this.#note('delete', written(await this.storage.delete(of.key, of.revision)));
  }

  /** Creates `count` keys at once, named by number; resolves with their revisions in ascending order. */
  async createMany(count: number, folder = ''): Promise<readonly number[]> {
    const writes = Array.from({ length: count }, (_, i) => this.create(`${folder}${i}`));
    return (await Promise.all(writes)).map(({ revision }) => revision).sort((a, b) => a - b);
  }

  async contentOf(name: string): Promise<unknown> {
    const object = await this.storage.get(this.key(name));
    return object && readValue(object.bytes).content;
  }

  /** Contents by name, of the state at `revision` or the latest. */
  async contents(revision?: number): Promise<Record<string, unknown>> {
    const { objects } = await this.storage.range({ prefix: this.prefix, revision });
    return Object.fromEntries(
      objects.map(({ key, bytes }) => [key.slice(this.prefix.length), readValue(bytes).content]),
    );
  }

  /** Watches the test's folder, or a folder in it, from the test's start or another revision on. */
  watch(options: { readonly folder?: string; readonly after?: number } = {}): WatchRecorder {
    const { folder = '', after = this.start } = options;
    return new WatchRecorder(this.storage, { prefix: this.key(folder), afterRevision: after });
  }

  /** A watch that has delivered all there is. */
  async watchLive(): Promise<WatchRecorder> {
    const watch = this.watch();
    await watch.reaches(await this.storage.currentRevision());
    return watch;
  }

  /** Opens the store once more. */
  async reopen(): Promise<Storage> {
    if (this.#opened.reopen === undefined) throw new Error('this driver gives no `reopen`');
    const storage = await this.#opened.reopen();
    this.#reopened.push(storage);
    return storage;
  }

  /** Whether time stands still but for `passTime`. */
  get hasOwnClock(): boolean {
    return this.#opened.passTime !== undefined;
  }

  /** Lets time pass for the store. */
  async passTime(ms: number): Promise<void> {
    const { passTime } = this.#opened;
    if (passTime === undefined) await new Promise((resolve) => setTimeout(resolve, ms));
    else passTime(ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const storage of [this.storage, ...this.#reopened]) await storage[Symbol.asyncDispose]();
  }

  #note(kind: 'put' | 'delete', object: StoredObject): StoredObject {
    this.lines.push(`${kind} ${object.key}@${object.revision}`);
    return object;
  }
}

/** Asserts that revisions only grow. */
export function assertAscending(revisions: readonly number[]): void {
  revisions.forEach((revision, index) => {
    if (index > 0) expect(revision).to.be.above(revisions[index - 1] ?? 0);
  });
}

/** Asserts that no revision is split over batches, and that batches only go forward. */
export function assertWholeBatches(batches: readonly (readonly StorageEvent[])[]): void {
  let last = 0;
  for (const batch of batches) {
    expect(batch).to.not.be.empty;
    expect(batch[0]?.revision ?? 0).to.be.above(last);
    for (const { revision } of batch) {
      expect(revision).to.be.at.least(last);
      last = revision;
    }
  }
}
