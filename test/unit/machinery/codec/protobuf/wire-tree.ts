import { isRawNumber } from '../../../../../src/base/index.ts';
import { listElement, mapElement, type TypeData } from '../../../../../src/machinery/schema/index.ts';
import { catalog } from './random-object.ts';

/**
 * A message as numbers and values in the order of the bytes. Both functions of this file go by the data's
 * numbers and rules only and share nothing with the codec.
 */
export type WireTree = readonly (readonly [number, unknown])[];

interface SpecialField {
  readonly n: string;
  readonly t: string;
  readonly pb: number;
}
interface SpecialData extends TypeData {
  readonly special?: { readonly pbmsg: readonly SpecialField[] };
}

const u64 = (value: unknown): bigint =>
  BigInt.asUintN(64, BigInt(isRawNumber(value) ? value.rawJSON : Number(value)));
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What the bytes of an object must say. */
export function expectedTree(type: string, object: Record<string, unknown>): WireTree {
  const rows = [...(catalog.find(type)?.f ?? [])].filter(
    (row) => row.in === undefined && row.pb !== undefined,
  );
  rows.sort((a, b) => (a.pb ?? 0) - (b.pb ?? 0));
  return rows.flatMap((row): WireTree => {
    const number = row.pb ?? 0;
    const value = row.inline ? object : object[row.n];
    const element = listElement(row.t);
    if (element !== undefined) {
      const list = (value ?? []) as readonly unknown[];
      return list.map((item) => [number, expectedValue(element, item)] as const);
    }
    const entry = mapElement(row.t);
    if (entry !== undefined) {
      const map = (value ?? {}) as Record<string, unknown>;
      return Object.keys(map)
        .sort(byBytes)
        .map(
          (key) =>
            [
              number,
              [
                [1, key],
                [2, expectedValue(entry, map[key])],
              ],
            ] as const,
        );
    }
    const isLeftOut = row.ptr || row.t === 'bytes' || /(Verbs|ExtraValue)$/.test(row.t);
    return isLeftOut && (value === undefined || value === null)
      ? []
      : [[number, expectedValue(row.t, value)]];
  });
}

function expectedValue(type: string, value: unknown): unknown {
  const empty = value === undefined || value === null;
  const text = JSON.stringify(value);
  switch (type.slice(type.lastIndexOf('.') + 1)) {
    case 'string':
      return empty ? '' : value;
    case 'bool':
      return value === true ? 1n : 0n;
    case 'int32':
    case 'int64':
      return empty ? 0n : u64(value);
    case 'double':
      return empty ? 0 : value;
    case 'bytes':
      return Buffer.from(String(value), 'base64').toString('hex');
    case 'Quantity':
      return [[1, empty ? '0' : value]];
    case 'IntOrString':
      return typeof value === 'string'
        ? [
            [1, 1n],
            [2, 0n],
            [3, value],
          ]
        : [
            [1, 0n],
            [2, u64(value ?? 0)],
            [3, ''],
          ];
    case 'Time':
      return empty
        ? []
        : [
            [1, u64(Date.parse(String(value)) / 1000)],
            [2, 0n],
          ];
    case 'MicroTime': {
      if (empty) return [];
      const seconds = Math.floor(Date.parse(String(value)) / 1000);
      return [
        [1, u64(seconds)],
        [2, u64(Number(String(value).slice(20, 26)) * 1000)],
      ];
    }
    case 'Duration':
      return [[1, u64(durations[String(value ?? '0s')])]];
    case 'FieldsV1':
    case 'RawExtension':
      return empty ? [] : [[1, Buffer.from(text).toString('hex')]];
    case 'JSON':
      return empty ? [] : [[1, Buffer.from(text.replace('<&>', '\\u003c\\u0026\\u003e')).toString('hex')]];
    case 'Unknown':
      return [
        [
          1,
          [
            [1, ''],
            [2, ''],
          ],
        ],
        [2, Buffer.from(text).toString('hex')],
        [3, ''],
        [4, 'application/json'],
      ];
    case 'Verbs':
    case 'ExtraValue':
      return ((value ?? []) as readonly string[]).map((item) => [1, item]);
    case 'JSONSchemaPropsOrBool':
      return typeof value === 'object' && value !== null
        ? [
            [1, 1n],
            [2, expectedTree(schemaOf(type), value as Record<string, unknown>)],
          ]
        : [[1, value === true ? 1n : 0n]];
    case 'JSONSchemaPropsOrArray':
    case 'JSONSchemaPropsOrStringArray':
      if (empty) return [];
      if (!Array.isArray(value)) return [[1, expectedTree(schemaOf(type), value as Record<string, unknown>)]];
      return value.map((item) => [2, typeof item === 'string' ? item : expectedTree(schemaOf(type), item)]);
    default:
      return expectedTree(type, (value ?? {}) as Record<string, unknown>);
  }
}

const schemaOf = (type: string): string => `${type.slice(0, type.lastIndexOf('.'))}.JSONSchemaProps`;
const durations: Readonly<Record<string, number>> = {
  '0s': 0,
  '1ns': 1,
  '30s': 30e9,
  '-250ms': -250e6,
  '1h2m3.5s': 3723.5e9,
};

function readVarint(bytes: Buffer, at: number): { value: bigint; next: number } {
  let value = 0n;
  for (let index = at; ; index++) {
    const byte = bytes.readUInt8(index);
    value |= BigInt(byte & 127) << BigInt(7 * (index - at));
    if (byte < 128) return { value: BigInt.asUintN(64, value), next: index + 1 };
  }
}

/** What the bytes of a message say. @throws Error where they do not fit the data. */
export function actualTree(type: string, bytes: Buffer): WireTree {
  const tree: [number, unknown][] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const number = Number(tag.value >> 3n);
    const field = fieldOf(type, number);
    const wire = Number(tag.value & 7n);
    if (wire !== wireOf(field)) throw new Error(`${type}: field ${number} has wire type ${wire}`);
    if (wire === 1) {
      tree.push([number, bytes.readDoubleLE(tag.next)]);
      at = tag.next + 8;
      continue;
    }
    const amount = readVarint(bytes, tag.next);
    at = amount.next + (wire === 0 ? 0 : Number(amount.value));
    if (at > bytes.length) throw new Error(`${type}: field ${number} ends behind its message`);
    tree.push([number, wire === 0 ? amount.value : actualValue(field, bytes.subarray(amount.next, at))]);
  }
  return tree;
}

function wireOf(type: string): number {
  return type === 'double' ? 1 : ['bool', 'int32', 'int64'].includes(type) ? 0 : 2;
}

function actualValue(type: string, bytes: Buffer): unknown {
  if (type === 'string') return bytes.toString();
  return type === 'bytes' ? bytes.toString('hex') : actualTree(type, bytes);
}

/** Type of a field's value; entries of maps are types of their own here. */
function fieldOf(type: string, number: number): string {
  const entry = mapElement(type);
  if (entry !== undefined && (number === 1 || number === 2)) return number === 1 ? 'string' : entry;
  const data = catalog.find(type) as SpecialData | undefined;
  const own = data?.f?.find((row) => row.pb === number && row.in === undefined);
  const found = own ?? data?.special?.pbmsg.find((row) => row.pb === number);
  if (found === undefined) throw new Error(`${type} has no field ${number}`);
  return listElement(found.t) ?? found.t;
}
