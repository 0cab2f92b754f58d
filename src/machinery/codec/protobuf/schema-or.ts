import { isJsonObject } from '../../../base/index.ts';
import { expectWire, readFields, throwWrongWire } from './fields.ts';
import { errorBelow } from './protobuf-error.ts';
import type { Reader } from './reader.ts';
import { writeText } from './scalars.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes, wireVarint } from './wire.ts';
import type { BackwardWriter } from './writer.ts';

/** Types that hold a schema or one of the other forms that JSON schema allows in its place. */
export type SchemaOrForm =
  | 'JSONSchemaPropsOrArray'
  | 'JSONSchemaPropsOrBool'
  | 'JSONSchemaPropsOrStringArray';

/** A codec of the form; `schema` gives the codec of the schema type, which contains this one. */
export function schemaOrCodec(form: SchemaOrForm, schema: () => ValueCodec): ValueCodec {
  if (form === 'JSONSchemaPropsOrBool') return schemaOrBool(schema);
  return schemaOrList(form, form === 'JSONSchemaPropsOrArray' ? schema : undefined, schema);
}

function counted(out: BackwardWriter, before: number): void {
  out.varint(out.size - before);
}

/** Whether anything is allowed in field 1, always written; the schema in field 2. */
function schemaOrBool(schema: () => ValueCodec): ValueCodec {
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      const before = out.size;
      const isSchema = isJsonObject(value);
      if (isSchema) {
        schema().write(out, value);
        out.byte(0x12);
      }
      out.byte(isSchema || value === true ? 1 : 0);
      out.byte(0x08);
      counted(out, before);
    },
    read(input, end) {
      let isAllowed = false;
      let found: unknown;
      input.limit = end;
      readFields(input, {
        typeName: 'JSONSchemaPropsOrBool',
        take(_input, fieldNumber, wire, valueEnd) {
          if (fieldNumber > 2) return false;
          if (fieldNumber === 1) {
            expectWire(wire, wireVarint, 'Allows');
            isAllowed = input.varint() !== 0;
          } else found = readBelow(input, { wire, valueEnd, goName: 'Schema', codec: schema() });
          return true;
        },
      });
      return found ?? isAllowed;
    },
    zero: () => false,
  };
}

/** A schema in field 1, or a list of `element` (texts without one) in field 2. */
function schemaOrList(
  typeName: string,
  element: (() => ValueCodec) | undefined,
  schema: () => ValueCodec,
): ValueCodec {
  const listName = element === undefined ? 'Property' : 'JSONSchemas';
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      const before = out.size;
      if (Array.isArray(value)) {
        for (let index = value.length - 1; index >= 0; index--) {
          if (element === undefined) writeText(out, value[index] ?? '');
          else element().write(out, value[index]);
          out.byte(0x12);
        }
      } else if (isJsonObject(value)) {
        schema().write(out, value);
        out.byte(0x0a);
      }
      counted(out, before);
    },
    read(input, end) {
      let found: unknown;
      const list: unknown[] = [];
      input.limit = end;
      readFields(input, {
        typeName,
        take(_input, fieldNumber, wire, valueEnd) {
          if (fieldNumber === 1)
            found = readBelow(input, { wire, valueEnd, goName: 'Schema', codec: schema() });
          else if (fieldNumber !== 2) return false;
          else if (element !== undefined) {
            list.push(readBelow(input, { wire, valueEnd, goName: listName, codec: element() }));
          } else {
            expectWire(wire, wireBytes, listName);
            list.push(input.text(valueEnd));
          }
          return true;
        },
      });
      // apiextensions writes the list where both are given.
      return list.length > 0 ? list : (found ?? null);
    },
    zero: () => null,
  };
}

interface Nested {
  readonly wire: number;
  readonly valueEnd: number;
  readonly goName: string;
  readonly codec: ValueCodec;
}

function readBelow(input: Reader, { wire, valueEnd, goName, codec }: Nested): unknown {
  if (wire !== wireBytes) throwWrongWire(wire, goName);
  try {
    return codec.read(input, valueEnd);
  } catch (error) {
    throw errorBelow('schema', error);
  }
}
