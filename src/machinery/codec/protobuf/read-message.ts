import { setOwn } from '../../../base/index.ts';
import { sortedKeys } from '../../schema/json-text.ts';
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

/**
 * Values of a message's fields while it is being read. One is made per message: it has no private methods,
 * since each object with some costs as much again to make.
 */
class MessageValues implements FieldSink {
  readonly plan: MessagePlan;
  /**
   * Per field: its value, a list, a `ReadMap`, or the parts (start, end, ...) of a message that is read when
   * all of them are known, since parts that are repeated add to one another.
   */
  readonly slots: unknown[];
  /** The field that is being read, for the path of an error. */
  current: WireField | undefined;

  constructor(plan: MessagePlan) {
    this.plan = plan;
    this.slots = new Array(plan.wireFields.length);
    this.current = undefined;
  }

  get typeName(): string {
    return this.plan.typeName;
  }

  take(input: Reader, fieldNumber: number, wire: number, end: number): boolean {
    const { byNumber } = this.plan;
    const field = fieldNumber < byNumber.length ? byNumber[fieldNumber] : undefined;
    if (field === undefined) return false;
    this.current = field;
    const { form, codec, slot } = field;
    if (form === 'list') takeElement(this.slots, input, field, { wire, end });
    else if (form === 'map') takeEntry(this.slots, input, field, { wire, end });
    else {
      if (wire !== codec.wire) throwWrongWire(wire, field.goName);
      if (codec.merge === undefined) this.slots[slot] = codec.read(input, end);
      else takePart(this.slots, slot, input.at, end);
    }
    this.current = undefined;
    return true;
  }
}

/** Where the value of a field is, besides the reader's place. */
interface Place {
  readonly wire: number;
  readonly end: number;
}

function takePart(slots: unknown[], slot: number, start: number, end: number): void {
  // Slots of messages hold parts until they are read.
  const parts = slots[slot] as number[] | undefined;
  if (parts === undefined) slots[slot] = [start, end];
  else parts.push(start, end);
}

function takeElement(slots: unknown[], input: Reader, field: WireField, { wire, end }: Place): void {
  const { codec, slot } = field;
  const isPacked = wire === wireBytes && codec.wire === wireVarint;
  if (wire !== codec.wire && !isPacked) throwWrongWire(wire, field.goName);
  // Slots of lists hold lists.
  let list = slots[slot] as unknown[] | undefined;
  if (list === undefined) {
    list = [];
    slots[slot] = list;
  }
  if (!isPacked) {
    list.push(codec.read(input, end));
    return;
  }
  input.limit = end;
  while (input.at < end) list.push(codec.read(input, end));
}

function takeEntry(slots: unknown[], input: Reader, field: WireField, { wire, end }: Place): void {
  if (wire !== wireBytes) throwWrongWire(wire, field.goName);
  const { key, value } = readEntry(input, end, field.codec);
  // Slots of maps hold these.
  let map = slots[field.slot] as ReadMap | undefined;
  if (map === undefined) {
    map = { entries: {}, lastKey: key, isSorted: true };
    slots[field.slot] = map;
  } else if (key < map.lastKey) map.isSorted = false;
  map.lastKey = key;
  setOwn(map.entries, key, value);
}

/** The object in canonical form, when all fields are read. */
function finishObject(
  values: MessageValues,
  input: Reader,
  typeMeta: EnvelopeTypeMeta | undefined,
): Record<string, unknown> {
  const { plan, slots } = values;
  for (const field of plan.lateFields) {
    const value = slots[field.slot];
    if (field.form === 'map') slots[field.slot] = finishMap(value);
    else if (field.form === 'inline' || value !== undefined) {
      // Fields of an inlined message stand in this object: no step of the path.
      values.current = field.form === 'inline' ? undefined : field;
      // Slots of messages hold parts until here.
      slots[field.slot] = field.codec.merge?.(input, (value as number[] | undefined) ?? []);
      values.current = undefined;
    }
  }
  const out: Record<string, unknown> = {};
  for (const field of plan.jsonFields) writeJson(out, field, slots, typeMeta);
  return out;
}

function writeJson(
  out: Record<string, unknown>,
  field: JsonField,
  slots: readonly unknown[],
  typeMeta: EnvelopeTypeMeta | undefined,
): void {
  const { source, name, slot } = field;
  if (source === 'inline') {
    // An inlined message has been read to an object in canonical form.
    const value = (slots[slot] as Record<string, unknown>)[name];
    if (value !== undefined) out[name] = value;
    return;
  }
  const value = source === 'slot' ? slots[slot] : typeMeta?.[source];
  if (value !== undefined) writeValue(out, field, value);
  else if (field.absent === 'zero') out[name] = field.zero();
  else if (field.absent === 'null') out[name] = null;
}

/** The error with the place where reading stopped. */
function locate({ current, slots }: MessageValues, error: unknown): unknown {
  if (current === undefined) return error;
  if (current.form !== 'list') return errorBelow(current.name, error);
  const list = slots[current.slot];
  return errorBelow(`${current.name}[${Array.isArray(list) ? list.length : 0}]`, error);
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
    const object = finishObject(values, input, typeMeta);
    input.leave();
    return object;
  } catch (error) {
    throw locate(values, error);
  }
}
