import { setOwn, sortedKeys } from '../../schema/json-text.ts';
import { writeValue } from '../../schema/struct.ts';
import type { EnvelopeTypeMeta } from './envelope.ts';
import { type FieldSink, readFields, throwWrongWire } from './fields.ts';
import type { JsonField, MessagePlan, WireField } from './message-plan.ts';
import { errorBelow } from './protobuf-error.ts';
import { readEntry } from './read-entry.ts';
import type { Reader } from './reader.ts';
import { wireBytes, wireVarint } from './wire.ts';

/** Entries of a map as they came. */
interface ReadMap {
  readonly entries: Record<string, unknown>;
  lastKey: string;
  isSorted: boolean;
}

/** Values of a message's fields while it is being read. */
class MessageValues implements FieldSink {
  readonly typeName: string;
  readonly #plan: MessagePlan;
  /**
   * Per field: its value, a list, a `ReadMap`, or the parts (start, end, ...) of a message that is read when
   * all of them are known, since parts that are repeated add to one another.
   */
  readonly #slots: unknown[];
  /** The field that is being read, for the path of an error. */
  #current: WireField | undefined;

  constructor(plan: MessagePlan) {
    this.#plan = plan;
    this.typeName = plan.typeName;
    this.#slots = new Array(plan.wireFields.length).fill(undefined);
  }

  take(input: Reader, fieldNumber: number, wire: number, end: number): boolean {
    const { byNumber } = this.#plan;
    const field = fieldNumber < byNumber.length ? byNumber[fieldNumber] : undefined;
    if (field === undefined) return false;
    this.#current = field;
    if (field.form === 'list') this.#takeElement(input, field, wire, end);
    else if (field.form === 'map') this.#takeEntry(input, field, wire, end);
    else {
      if (wire !== field.codec.wire) throwWrongWire(wire, field.goName);
      if (field.codec.merge === undefined) this.#slots[field.slot] = field.codec.read(input, end);
      else this.#takePart(field, input.at, end);
    }
    this.#current = undefined;
    return true;
  }

  #takePart(field: WireField, start: number, end: number): void {
    // Slots of messages hold parts until they are read.
    const parts = this.#slots[field.slot] as number[] | undefined;
    if (parts === undefined) this.#slots[field.slot] = [start, end];
    else parts.push(start, end);
  }

  #takeElement(input: Reader, field: WireField, wire: number, end: number): void {
    const { codec, slot } = field;
    const isPacked = wire === wireBytes && codec.wire === wireVarint;
    if (wire !== codec.wire && !isPacked) throwWrongWire(wire, field.goName);
    // Slots of lists hold lists.
    let list = this.#slots[slot] as unknown[] | undefined;
    if (list === undefined) {
      list = [];
      this.#slots[slot] = list;
    }
    if (!isPacked) {
      list.push(codec.read(input, end));
      return;
    }
    input.limit = end;
    while (input.at < end) list.push(codec.read(input, end));
  }

  #takeEntry(input: Reader, field: WireField, wire: number, end: number): void {
    if (wire !== wireBytes) throwWrongWire(wire, field.goName);
    const { key, value } = readEntry(input, end, field.codec);
    // Slots of maps hold these.
    let map = this.#slots[field.slot] as ReadMap | undefined;
    if (map === undefined) {
      map = { entries: {}, lastKey: key, isSorted: true };
      this.#slots[field.slot] = map;
    } else if (key < map.lastKey) map.isSorted = false;
    map.lastKey = key;
    setOwn(map.entries, key, value);
  }

  /** The object in canonical form. */
  finish(input: Reader, typeMeta: EnvelopeTypeMeta | undefined): Record<string, unknown> {
    for (const field of this.#plan.lateFields) {
      const value = this.#slots[field.slot];
      if (field.form === 'map') this.#slots[field.slot] = finishMap(value);
      else if (field.form === 'inline' || value !== undefined) this.#finishMessage(input, field, value);
    }
    const out: Record<string, unknown> = {};
    for (const field of this.#plan.jsonFields) this.#writeJson(out, field, typeMeta);
    return out;
  }

  #finishMessage(input: Reader, field: WireField, value: unknown): void {
    if (field.codec.merge === undefined) return;
    this.#current = field.form === 'inline' ? undefined : field;
    // Slots of messages hold parts until here.
    this.#slots[field.slot] = field.codec.merge(input, (value as number[] | undefined) ?? []);
    this.#current = undefined;
  }

  #writeJson(out: Record<string, unknown>, field: JsonField, typeMeta: EnvelopeTypeMeta | undefined): void {
    const { source, name, slot } = field;
    if (source === 'inline') {
      // An inlined message has been read to an object in canonical form.
      const value = (this.#slots[slot] as Record<string, unknown>)[name];
      if (value !== undefined) out[name] = value;
      return;
    }
    const value = source === 'slot' ? this.#slots[slot] : typeMeta?.[source];
    if (value !== undefined) writeValue(out, field, value);
    else if (field.absent === 'zero') out[name] = field.zero();
    else if (field.absent === 'null') out[name] = null;
  }

  /** The error with the place where reading stopped. */
  locate(error: unknown): unknown {
    const field = this.#current;
    if (field === undefined) return error;
    if (field.form !== 'list') return errorBelow(field.name, error);
    const list = this.#slots[field.slot];
    return errorBelow(`${field.name}[${Array.isArray(list) ? list.length : 0}]`, error);
  }
}

function finishMap(value: unknown): unknown {
  if (value === undefined) return undefined;
  // Slots of maps hold these.
  const { entries, isSorted } = value as ReadMap;
  if (isSorted) return entries;
  const sorted: Record<string, unknown> = {};
  for (const key of sortedKeys(entries)) setOwn(sorted, key, entries[key]);
  return sorted;
}

export interface ReadMessageOptions {
  /** Start and end of each part of the message. */
  readonly parts: readonly number[];
  readonly typeMeta?: EnvelopeTypeMeta | undefined;
}

/**
 * Reads a message to an object in canonical form. Unknown fields are skipped, parts merged.
 *
 * @throws ProtobufError with the path of the field.
 */
export function readMessage(
  input: Reader,
  plan: MessagePlan,
  { parts, typeMeta }: ReadMessageOptions,
): Record<string, unknown> {
  const values = new MessageValues(plan);
  input.enter();
  try {
    for (let index = 0; index < parts.length; index += 2) {
      // Parts come in pairs.
      input.at = parts[index] as number;
      input.limit = parts[index + 1] as number;
      readFields(input, values);
    }
    const object = values.finish(input, typeMeta);
    input.leave();
    return object;
  } catch (error) {
    throw values.locate(error);
  }
}
