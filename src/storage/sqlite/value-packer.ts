import { findRevision, stampedLength, stampInto } from '../stamp.ts';
import type { PackedValues } from './messages.ts';

interface Part {
  readonly bytes: Buffer;
  readonly revision: number;
  readonly start: number;
}

/** Collects stored values and writes them, stamped, into one buffer that can be moved to another thread. */
export class ValuePacker {
  readonly #parts: (Part | undefined)[] = [];
  readonly #ends: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Buffer, revision: number): void {
    const start = findRevision(bytes);
    this.#length += stampedLength(bytes, revision, start);
    this.#parts.push({ bytes, revision, start });
    this.#ends.push(this.#length);
  }

  /** A place without a value. */
  addNothing(): void {
    this.#parts.push(undefined);
    this.#ends.push(this.#length);
  }

  pack(): PackedValues {
    const bytes = new ArrayBuffer(this.#length);
    const target = Buffer.from(bytes);
    let offset = 0;
    for (const part of this.#parts) {
      if (part !== undefined) offset += stampInto(target, offset, part);
    }
    return { ends: this.#ends, bytes };
  }
}

/** Value `index` of a pack, as a view. */
export function unpackValue({ ends, bytes }: PackedValues, index: number): Buffer {
  const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
  return Buffer.from(bytes, start, (ends[index] ?? start) - start);
}
