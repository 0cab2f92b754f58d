import type { CustomKind, CustomVersion } from '../apis/customs/index.ts';
import { internalError } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../machinery/schema/index.ts';
import { parseStored } from './versions.ts';

/** Objects of one version of a kind that its webhook is to convert. */
export interface RemoteConversion {
  readonly conversion: NonNullable<CustomKind['webhook']>;
  readonly from: GroupVersionKind;
  /** `group/version` */
  readonly desiredApiVersion: string;
  readonly objects: readonly ApiObject[];
}

/** Asks a webhook; gives the converted objects in their order. @throws StatusError 500 when it does not convert them. */
export type ConvertRemotely = (batch: RemoteConversion) => Promise<readonly ApiObject[]>;

/** One object to convert. */
interface Wish {
  readonly kind: CustomKind;
  readonly from: CustomVersion;
  readonly to: CustomVersion;
  readonly object: ApiObject;
  /** Names the result. */
  readonly key: string;
}

/** What webhooks were asked and have not answered yet. */
interface Question {
  readonly answer: Promise<void>;
  /** Objects that it is about. */
  readonly count: number;
}

/** Thrown where a conversion is needed that only a webhook can do: whoever can wait tries again with the result. */
export class PendingConversion extends Error {
  override readonly name = 'PendingConversion';
  readonly wish: Wish;
  readonly remote: RemoteConversions;

  constructor(wish: Wish, remote: RemoteConversions) {
    super(`a conversion of ${wish.kind.outline.name} by a webhook was not waited for`);
    this.wish = wish;
    this.remote = remote;
  }
}

/** Memory for results. Objects in caches remember theirs by themselves; this is for those that are being written. */
const maxKeptBytes = 16 * 1024 * 1024;
/** Objects that a webhook is given at once. */
const maxBatch = 500;
/** An object needs few conversions; more rounds mean that results are dropped before they are used. */
const maxRounds = 100;

/** Conversions by webhooks, and their results by what was converted. */
export class RemoteConversions {
  readonly #convert: ConvertRemotely;
  /** Text of converted objects by key, the one used longest ago first. */
  readonly #results = new Map<string, string>();
  #keptBytes = 0;
  /** What webhooks are being asked for, by key: who wants the same meanwhile waits for that answer. */
  readonly #asked = new Map<string, Question>();

  constructor(convert: ConvertRemotely) {
    this.#convert = convert;
  }

  /** Makes an object one of another version, in place. @throws PendingConversion when the webhook must be asked first. */
  convert(kind: CustomKind, object: ApiObject, from: CustomVersion, to: CustomVersion): void {
    const { resourceVersion, ...metadata } = object.metadata;
    // What is stored is converted without its version: that is the store's. What is to be stored is sent as it is.
    const bare = to === kind.storage ? object : { ...object, metadata };
    const { uid, generation } = kind.outline;
    const key = `${uid} ${generation} ${to.info.version} ${JSON.stringify(bare)}`;
    const result = this.#results.get(key);
    if (result === undefined) throw new PendingConversion({ kind, from, to, object: bare, key }, this);
    this.#results.delete(key);
    this.#results.set(key, result);
    const converted = parseStored(Buffer.from(result));
    if (resourceVersion !== undefined) converted.metadata.resourceVersion = resourceVersion;
    replaceMembers(object, converted);
  }

  /**
   * Asks the webhooks, for each batch once, and not for what they are being asked for.
   *
   * @throws StatusError 500 when one does not convert.
   */
  async settle(wishes: readonly Wish[]): Promise<void> {
    const { asked = [], unasked = [] } = Object.groupBy(wishes, ({ key }) =>
      this.#asked.has(key) ? 'asked' : 'unasked',
    );
    const questions = new Set(asked.map(({ key }) => this.#asked.get(key)));
    if (unasked.length > 0) await this.#askFor(unasked);
    for (const question of questions) {
      // An answer about several objects may have failed for another one of them.
      await question?.answer.catch((error: unknown) => {
        if (question.count === 1) throw error;
      });
    }
    const left = asked.filter(({ key }) => !this.#results.has(key));
    if (left.length > 0) await this.#askFor(left);
  }

  async #askFor(wishes: readonly Wish[]): Promise<void> {
    const question = { answer: this.#ask(wishes), count: wishes.length };
    for (const { key } of wishes) this.#asked.set(key, question);
    try {
      await question.answer;
    } finally {
      for (const { key } of wishes) if (this.#asked.get(key) === question) this.#asked.delete(key);
    }
  }

  async #ask(wishes: readonly Wish[]): Promise<void> {
    const batches = Map.groupBy(wishes, ({ kind, from, to }) => {
      return `${kind.outline.uid} ${from.info.version} ${to.info.version}`;
    });
    for (const batch of batches.values()) {
      for (let at = 0; at < batch.length; at += maxBatch)
        await this.#settleBatch(batch.slice(at, at + maxBatch));
    }
  }

  async #settleBatch(batch: readonly Wish[]): Promise<void> {
    const [first] = batch;
    const conversion = first?.kind.webhook;
    if (first === undefined || conversion === undefined)
      throw internalError('the definition names no webhook');
    const { group, version, kind } = first.from.info;
    const converted = await this.#convert({
      conversion,
      from: { group, version, kind },
      desiredApiVersion: formatGroupVersion(group, first.to.info.version),
      objects: batch.map(({ object }) => object),
    });
    for (const [index, { key, to }] of batch.entries()) {
      const object = converted[index];
      if (object === undefined) throw internalError('the webhook gave too few objects');
      to.prune(object);
      this.#keep(key, JSON.stringify(object));
    }
  }

  #keep(key: string, text: string): void {
    // Several requests may have asked for the same at once.
    this.#drop(key);
    this.#results.set(key, text);
    this.#keptBytes += 2 * (key.length + text.length);
    for (const oldKey of this.#results.keys()) {
      if (this.#keptBytes <= maxKeptBytes || oldKey === key) return;
      this.#drop(oldKey);
    }
  }

  #drop(key: string): void {
    const text = this.#results.get(key);
    if (text === undefined) return;
    this.#results.delete(key);
    this.#keptBytes -= 2 * (key.length + text.length);
  }
}

function replaceMembers(object: ApiObject, by: ApiObject): void {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  Object.assign(object, by);
}

/**
 * Runs a computation that may need conversions by webhooks, again with their results until it needs no more. It must have
 * no effects before its end.
 *
 * @throws StatusError 500 when a webhook does not convert.
 */
export async function withConversions<T>(run: () => T): Promise<T> {
  for (let round = 0; round < maxRounds; round++) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PendingConversion)) throw error;
      await error.remote.settle([error.wish]);
    }
  }
  throw internalError('the results of conversions do not last');
}

/** The same for many objects, which are converted in batches. What `run` makes of each must be remembered by it. */
export async function convertAll<Item>(items: readonly Item[], run: (item: Item) => unknown): Promise<void> {
  for (let at = 0; at < items.length; at += maxBatch) {
    const chunk = items.slice(at, at + maxBatch);
    const pending: PendingConversion[] = [];
    for (const item of chunk) {
      try {
        run(item);
      } catch (error) {
        if (!(error instanceof PendingConversion)) throw error;
        pending.push(error);
      }
    }
    const [first] = pending;
    if (first === undefined) continue;
    await first.remote.settle(pending.map(({ wish }) => wish));
    for (const item of chunk) await withConversions(() => run(item));
  }
}
