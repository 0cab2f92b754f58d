import type { MessageWriter } from './message-writer.ts';
import data from './messages.json' with { type: 'json' };

/**
 * A field: its number, its type, and the field of a message around the value, if there is one. `[T` is a list; `{T` a map,
 * written as a message of named entries; `extension` stands for all members that begin with `x-`.
 */
type FieldSpec = readonly [number: number, type: string, wrap?: number];
// Field lists of the file have this shape; a test encodes each kind of them.
const messages = data as unknown as Readonly<Record<string, Readonly<Record<string, FieldSpec>>>>;

type Members = Readonly<Record<string, unknown>>;
/** Field of the message around each value of a map; other maps hold their values as they are. */
const wrapsInMaps: Readonly<Record<string, number>> = { Answer: 1, SecurityScheme: 2 };

/** Writes the fields of a value of the document, as message `type` of OpenAPIv2.proto (package `openapi.v2`). */
export function encodeMessage(writer: MessageWriter, type: string, value: unknown): void {
  const fields = messages[type];
  if (fields === undefined) throw new RangeError(`message not found: ${JSON.stringify(type)}`);
  const members = value as Members; // the document's own values, built by this folder
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    if (name === 'x-') encodeExtensions(writer, field[0], members);
    else if (members[name] !== undefined) encodeField(writer, field, members[name]);
  }
}

/** Writes an entry of a map with named entries, wrapped in field `number`. */
export function encodeNamed(
  writer: MessageWriter,
  number: number,
  type: string,
  [name, value]: readonly [string, unknown],
): void {
  writer.nested(number, () => {
    writer.text(1, name);
    encodeWrapped(writer, 2, wrapsInMaps[type], () => encodeMessage(writer, type, value));
  });
}

function encodeField(writer: MessageWriter, [number, type, wrap]: FieldSpec, value: unknown): void {
  if (type.startsWith('[')) {
    // The table says that the member is a list.
    for (const item of value as readonly unknown[]) encodeField(writer, [number, type.slice(1)], item);
  } else if (type.startsWith('{')) {
    writer.nested(number, () => {
      for (const entry of Object.entries(value as Members)) encodeNamed(writer, 1, type.slice(1), entry);
    });
  } else if (wrap !== undefined) {
    writer.nested(number, () => encodeField(writer, [wrap, type], value));
  } else encodeValue(writer, number, type, value);
}

function encodeValue(writer: MessageWriter, number: number, type: string, value: unknown): void {
  switch (type) {
    case 'string':
      writer.text(number, String(value));
      return;
    case 'bool':
      if (value === true) writer.integer(number, 1);
      return;
    case 'int64':
      if (Number.isSafeInteger(value) && Number(value) >= 0) writer.integer(number, Number(value));
      return;
    case 'double':
      writer.double(number, Number(value));
      return;
    case 'any':
      writer.nested(number, () => writer.text(2, toYaml(value)));
      return;
    case 'Parameter':
      encodeParameter(writer, number, value as Members);
      return;
    case 'Security':
      encodeSecurity(writer, number, value as Members);
      return;
    default:
      writer.nested(number, () => encodeMessage(writer, type, value));
  }
}

/** JSON is YAML too. */
const toYaml = (value: unknown): string => `${JSON.stringify(value)}\n`;

function encodeExtensions(writer: MessageWriter, number: number, members: Members): void {
  for (const name in members) {
    if (!name.startsWith('x-')) continue;
    writer.nested(number, () => {
      writer.text(1, name);
      writer.nested(2, () => writer.text(2, toYaml(members[name])));
    });
  }
}

/** Which alternatives a parameter is nested in, outermost first, and its message. */
function alternativesOf({ in: where }: Members): readonly [readonly number[], string] {
  if (where === 'body') return [[1, 1], 'BodyParameter'];
  return where === 'path' ? [[1, 2, 4], 'PathParameter'] : [[1, 2, 3], 'QueryParameter'];
}

function encodeParameter(writer: MessageWriter, number: number, value: Members): void {
  const [alternatives, type] = alternativesOf(value);
  const write = alternatives.reduceRight<() => void>(
    (inner, field) => () => writer.nested(field, inner),
    () => encodeMessage(writer, type, value),
  );
  writer.nested(number, write);
}

function encodeSecurity(writer: MessageWriter, number: number, value: Members): void {
  writer.nested(number, () => {
    for (const [name, scopes] of Object.entries(value)) {
      writer.nested(1, () => {
        writer.text(1, name);
        writer.nested(2, () => encodeField(writer, [1, '[string'], scopes));
      });
    }
  });
}

function encodeWrapped(
  writer: MessageWriter,
  number: number,
  wrap: number | undefined,
  write: () => void,
): void {
  writer.nested(number, wrap === undefined ? write : () => writer.nested(wrap, write));
}
