import type { ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import { fromStorageVersion, parseStored, type ServedKind } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';

/** Messages that are kept at most, in bytes: some ten thousand pods. */
const defaultBudgetBytes = 32 * 1024 * 1024;
/** What a kept message costs beside its bytes. */
const overheadBytes = 128;

/** Messages of one version of one resource. They go with their objects, if not before. */
type Frames = WeakMap<CachedObject, Buffer>;

/**
 * Objects as framed Protobuf messages, made from their stored JSON. Some megabytes of them are kept, those that were
 * asked for last: in two generations, of which the older one goes when the younger has half of the budget.
 */
export class ProtobufFrames {
  readonly #compiler: ProtobufCompiler;
  readonly #halfBudgetBytes: number;
  #younger = new Map<ServedKind, Frames>();
  #older = new Map<ServedKind, Frames>();
  #youngerBytes = 0;

  constructor(compiler: ProtobufCompiler, budgetBytes = defaultBudgetBytes) {
    this.#compiler = compiler;
    this.#halfBudgetBytes = budgetBytes / 2;
  }

  /** The message of an object in the served version, from the cache or added to it. */
  keep(served: ServedKind, object: CachedObject): Buffer {
    const known = this.#younger.get(served)?.get(object);
    if (known !== undefined) return known;
    const frame = this.#older.get(served)?.get(object) ?? this.encode(served, object.bytes);
    this.#remember(served, object, frame);
    return frame;
  }

  /** The same without adding it to the cache, for objects that are about to be replaced. */
  peek(served: ServedKind, object: CachedObject): Buffer {
    return (
      this.#younger.get(served)?.get(object) ??
      this.#older.get(served)?.get(object) ??
      this.encode(served, object.bytes)
    );
  }

  /** The message of stored bytes in the served version. @throws NoProtobufFormError */
  encode(served: ServedKind, stored: Buffer): Buffer {
    const object = parseStored(stored);
    const converted = served.conversion === undefined ? object : fromStorageVersion(served, object);
    return this.#compiler.kind(served.kind).encodeFramed(converted);
  }

  #remember(served: ServedKind, object: CachedObject, frame: Buffer): void {
    if (this.#youngerBytes > this.#halfBudgetBytes) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#youngerBytes = 0;
    }
    let frames = this.#younger.get(served);
    if (frames === undefined) {
      frames = new WeakMap();
      this.#younger.set(served, frames);
    }
    frames.set(object, frame);
    this.#youngerBytes += frame.length + overheadBytes;
  }
}
