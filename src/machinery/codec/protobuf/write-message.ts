import { sortedKeys } from '../../schema/json-text.ts';
import type { MessagePlan, WireField } from './message-plan.ts';
import { writeText } from './scalars.ts';
import type { ValueCodec } from './value-codec.ts';
import { BackwardWriter } from './writer.ts';

const keyTag = 0x0a;
/** Room for most zero values; nested messages grow it. */
const smallBytes = 256;
/** Tag of an entry's value, without its wire type. */
const entryValueTag = 0x10;

/**
 * Writes the fields of a message, without its length: values that are not nullable always, nullable ones
 * when they are there, by ascending number.
 *
 * @throws TypeError when a value is not of its field's type.
 */
export function writeMessage(
  out: BackwardWriter,
  { wireFields }: MessagePlan,
  object: Readonly<Record<string, unknown>>,
): void {
  for (let index = wireFields.length - 1; index >= 0; index--) {
    // The loop bound makes the index valid.
    const field = wireFields[index] as WireField;
    if (field.form === 'inline') {
      field.codec.write(out, object);
      out.varint(field.tag);
    } else writeField(out, field, object[field.name]);
  }
}

function writeField(out: BackwardWriter, field: WireField, value: unknown): void {
  if (value === undefined || value === null) {
    if (field.form === 'value') out.bytes(field.zeroBytes ?? makeZeroBytes(field));
  } else if (field.isText && typeof value === 'string') out.textField(field.tag, value);
  else if (field.form === 'value' || field.form === 'optional') {
    field.codec.write(out, value);
    out.varint(field.tag);
  } else if (field.form === 'list') writeList(out, field, value);
  else writeMap(out, field, value);
}

/** Tag and zero value, kept: a field without a value is written again and again. */
function makeZeroBytes(field: WireField): Uint8Array {
  const out = new BackwardWriter(smallBytes);
  field.codec.write(out, undefined);
  out.varint(field.tag);
  field.zeroBytes = out.take();
  return field.zeroBytes;
}

function writeList(out: BackwardWriter, { codec, tag, name }: WireField, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`encode ${name} in Protobuf: not a list: ${typeof value}`);
  for (let index = value.length - 1; index >= 0; index--) {
    codec.write(out, value[index]);
    out.varint(tag);
  }
}

function writeMap(out: BackwardWriter, { codec, tag, name }: WireField, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`encode ${name} in Protobuf: not a map: ${typeof value}`);
  }
  const keys = sortedKeys(value);
  for (let index = keys.length - 1; index >= 0; index--) {
    // The key is one of the map's own.
    const key = keys[index] as string;
    writeEntry(out, key, (value as Record<string, unknown>)[key], codec);
    out.varint(tag);
  }
}

function writeEntry(out: BackwardWriter, key: string, value: unknown, codec: ValueCodec): void {
  const before = out.size;
  codec.write(out, value);
  out.byte(entryValueTag + codec.wire);
  writeText(out, key);
  out.byte(keyTag);
  out.varint(out.size - before);
}
