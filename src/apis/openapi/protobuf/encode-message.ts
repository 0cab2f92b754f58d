import { asJsonObject, ownData } from '../../../base/index.ts';
import {
  type BackwardWriter,
  makeTag,
  wireBytes,
  wireFixed64,
  wireVarint,
} from '../../../machinery/codec/protobuf/index.ts';
import data from './messages.json' with { type: 'json' };

/**
 * A field: its number, its type, and the field of a message around the value, if there is one. `[T` is a list; `{T` a map,
 * written as a message of named entries; `extension` stands for all members that begin with `x-`.
 */
type FieldSpec = readonly [number: number, type: string, wrap?: number];
// Field lists of the file have this shape; a test encodes each kind of them.
const messages = ownData<Readonly<Record<string, Readonly<Record<string, FieldSpec>>>>>(data);
/** Fields of each message, the last one first, as they are written. */
const fieldsOf = new Map(
  Object.entries(messages).map(([type, fields]) => [type, Object.entries(fields).reverse()]),
);

type Members = Readonly<Record<string, unknown>>;
/** Field of the message around each value of a map; other maps hold their values as they are. */
const wrapsInMaps: Readonly<Record<string, number>> = { Answer: 1, SecurityScheme: 2 };

/**
 * Writes the fields of a value of the document, as message `type` of OpenAPIv2.proto (package `openapi.v2`), in front of
 * what was written before. All functions of this file write their last part first.
 */
export function encodeMessage(writer: BackwardWriter, type: string, value: unknown): void {
  const fields = fieldsOf.get(type);
  if (fields === undefined) throw new RangeError(`message not found: ${JSON.stringify(type)}`);
  const members = asJsonObject(value);
  for (const [name, field] of fields) {
    if (name === 'x-') encodeExtensions(writer, field[0], members);
    else if (members[name] !== undefined) encodeField(writer, field, members[name]);
  }
}

/** Writes an entry of a map with named entries, wrapped in field `number`. */
export function encodeNamed(
  writer: BackwardWriter,
  number: number,
  type: string,
  [name, value]: readonly [string, unknown],
): void {
  encodeNested(writer, number, () => {
    encodeWrapped(writer, 2, wrapsInMaps[type], () => encodeMessage(writer, type, value));
    encodeText(writer, 1, name);
  });
}

/** A field with a message; `write` writes its fields. */
function encodeNested(writer: BackwardWriter, number: number, write: () => void): void {
  const before = writer.size;
  write();
  writer.varint(writer.size - before);
  writer.varint(makeTag(number, wireBytes));
}

const encodeText = (writer: BackwardWriter, number: number, text: string): void =>
  writer.textField(makeTag(number, wireBytes), text);

function encodeInteger(writer: BackwardWriter, number: number, value: number): void {
  writer.varint(value);
  writer.varint(makeTag(number, wireVarint));
}

function encodeField(writer: BackwardWriter, [number, type, wrap]: FieldSpec, value: unknown): void {
  if (type.startsWith('[')) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    for (const item of items.toReversed()) encodeField(writer, [number, type.slice(1)], item);
  } else if (type.startsWith('{')) {
    encodeNested(writer, number, () => {
      for (const entry of Object.entries(asJsonObject(value)).reverse())
        encodeNamed(writer, 1, type.slice(1), entry);
    });
  } else if (wrap !== undefined) {
    encodeNested(writer, number, () => encodeField(writer, [wrap, type], value));
  } else encodeValue(writer, number, type, value);
}

function encodeValue(writer: BackwardWriter, number: number, type: string, value: unknown): void {
  switch (type) {
    case 'string':
      encodeText(writer, number, String(value));
      return;
    case 'bool':
      if (value === true) encodeInteger(writer, number, 1);
      return;
    case 'int64':
      if (Number.isSafeInteger(value) && Number(value) >= 0) encodeInteger(writer, number, Number(value));
      return;
    case 'double':
      writer.double(Number(value));
      writer.varint(makeTag(number, wireFixed64));
      return;
    case 'any':
      encodeNested(writer, number, () => encodeText(writer, 2, toYaml(value)));
      return;
    case 'Parameter':
      encodeParameter(writer, number, asJsonObject(value));
      return;
    case 'Security':
      encodeSecurity(writer, number, asJsonObject(value));
      return;
    default:
      encodeNested(writer, number, () => encodeMessage(writer, type, value));
  }
}

/** JSON is YAML too. */
const toYaml = (value: unknown): string => `${JSON.stringify(value)}\n`;

function encodeExtensions(writer: BackwardWriter, number: number, members: Members): void {
  for (const name of Object.keys(members).reverse()) {
    if (!name.startsWith('x-')) continue;
    encodeNested(writer, number, () => {
      encodeNested(writer, 2, () => encodeText(writer, 2, toYaml(members[name])));
      encodeText(writer, 1, name);
    });
  }
}

/** Which alternatives a parameter is nested in, outermost first, and its message. */
function alternativesOf({ in: where }: Members): readonly [readonly number[], string] {
  if (where === 'body') return [[1, 1], 'BodyParameter'];
  return where === 'path' ? [[1, 2, 4], 'PathParameter'] : [[1, 2, 3], 'QueryParameter'];
}

function encodeParameter(writer: BackwardWriter, number: number, value: Members): void {
  const [alternatives, type] = alternativesOf(value);
  const write = alternatives.reduceRight<() => void>(
    (inner, field) => () => encodeNested(writer, field, inner),
    () => encodeMessage(writer, type, value),
  );
  encodeNested(writer, number, write);
}

function encodeSecurity(writer: BackwardWriter, number: number, value: Members): void {
  encodeNested(writer, number, () => {
    for (const [name, scopes] of Object.entries(value).reverse()) {
      encodeNested(writer, 1, () => {
        encodeNested(writer, 2, () => encodeField(writer, [1, '[string'], scopes));
        encodeText(writer, 1, name);
      });
    }
  });
}

function encodeWrapped(
  writer: BackwardWriter,
  number: number,
  wrap: number | undefined,
  write: () => void,
): void {
  encodeNested(writer, number, wrap === undefined ? write : () => encodeNested(writer, wrap, write));
}
