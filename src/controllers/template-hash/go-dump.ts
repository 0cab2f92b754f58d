import { asJsonObject, asText } from '../../base/index.ts';
import { sortedKeys } from '../../machinery/schema/index.ts';
import { dumpIntOrString, dumpQuantity } from './dump-scalars.ts';
import types from './go-types.json' with { type: 'json' };

/** Fields of structures as name in Go, name in JSON (empty: those of the same object) and type. */
const structs: Readonly<Record<string, readonly (readonly string[])[]>> = types.structs;
/** What types with names of their own are made of. */
const named: Readonly<Record<string, string>> = types.named;

const scalars: Readonly<Record<string, (value: unknown) => string>> = {
  'resource.Quantity': dumpQuantity,
  'intstr.IntOrString': dumpIntOrString,
  string: (value) => asText(value) ?? '',
  bool: (value) => String(value === true),
};

/**
 * A value as `go-spew` writes it with types, keys sorted and methods left alone: what hashes of release 1.20 are made of. The value is
 * in its JSON form; lists and maps without members count as absent, since Protobuf knows no others.
 */
export const dumpGo = (value: unknown, type: string): string => `(${type})${dumpBare(value, type)}`;

function dumpBare(value: unknown, type: string): string {
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar(value);
  if (type.startsWith('*')) return value == null ? '<nil>' : dumpBare(value, type.slice(1));
  if (type.startsWith('[]')) return dumpList(value, type.slice(2));
  if (type.startsWith('map[')) return dumpMap(value, type.slice(type.indexOf(']') + 1));
  const fields = structs[type];
  if (fields !== undefined) return dumpStruct(value, fields);
  const base = named[type];
  return base === undefined ? String(value ?? 0) : dumpBare(value, base);
}

function dumpList(value: unknown, type: string): string {
  if (!Array.isArray(value) || value.length === 0) return '<nil>';
  return `[${value.map((item) => dumpBare(item, type)).join(' ')}]`;
}

function dumpMap(value: unknown, type: string): string {
  const object = asJsonObject(value) ?? {};
  const keys = sortedKeys(object);
  return keys.length === 0
    ? '<nil>'
    : `map[${keys.map((key) => `${key}:${dumpBare(object[key], type)}`).join(' ')}]`;
}

function dumpStruct(value: unknown, fields: readonly (readonly string[])[]): string {
  const object = asJsonObject(value) ?? {};
  const shown = fields.map(([name = '', key = '', type = '']) => {
    const field = key === '' ? value : object[key];
    return `${name}:${dumpGo(field, type)}`;
  });
  return `{${shown.join(' ')}}`;
}
