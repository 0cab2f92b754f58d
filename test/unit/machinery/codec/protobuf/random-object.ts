import fc from 'fast-check';
import { createTypeCatalog } from '../../../../../src/apis/catalog.ts';
import types from '../../../../../src/apis/types.json' with { type: 'json' };
import { rawNumber } from '../../../../../src/base/index.ts';
import { orchDialect } from '../../../../../src/machinery/dialect.ts';
import {
  type FieldData,
  listElement,
  mapElement,
  type TypeData,
} from '../../../../../src/machinery/schema/index.ts';

export const catalog = createTypeCatalog(orchDialect);

/** Keys of all kinds that have a Protobuf form. */
export const kindNames: readonly string[] = Object.entries(types.types as unknown as Record<string, TypeData>)
  .filter(([name, data]) => data.kind === 1 && data.pb !== 0 && !name.startsWith('client.authentication'))
  .map(([name]) => name);

/** A small generator of numbers: whole objects from one seed are faster than arbitraries of 2,000 fields. */
class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** From 0 up to, not including, `end` (mulberry32). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * end);
  }
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

const texts = [
  '',
  'a',
  'web-1',
  'example.org/key',
  'grün',
  '\u{1f600} text',
  '\uffee',
  'x'.repeat(130),
  '10',
  '9',
];
const int64s = [0, 1, -1, 127, 128, 300, -5000, 2 ** 53 - 1, -(2 ** 53) + 1];
const bigInt64s = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
const jsonValues = [1, 'text', true, [1, 'a', null], { a: { b: '<&>' }, c: [{}] }, { k: -1.5 }, false, ''];

type Make = (dice: Dice) => unknown;

const leaves: Readonly<Record<string, Make>> = {
  string: (dice) => dice.pick(texts),
  bool: (dice) => dice.below(2) === 1,
  int32: (dice) => dice.pick([0, 1, -1, 80, 65535, 2 ** 31 - 1, -(2 ** 31)]),
  int64: (dice) => (dice.below(6) === 0 ? rawNumber(dice.pick(bigInt64s)) : dice.pick(int64s)),
  double: (dice) => dice.pick([0, 0.5, -1.25, 1e300, 5e-324, 3]),
  bytes: (dice) =>
    Buffer.from(Array.from({ length: dice.below(9) }, () => dice.below(256))).toString('base64'),
  Quantity: (dice) => dice.pick(['0', '1', '100m', '1Gi', '2500m', '12e6', '-3k', '1.5Gi']),
  IntOrString: (dice) => dice.pick([0, 80, -1, '', 'http', '25%']),
  Time: (dice) => new Date(time(dice) * 1000).toISOString().replace('.000', ''),
  MicroTime: (dice) =>
    new Date(time(dice) * 1000).toISOString().replace('.000', `.${100_000 + dice.below(899_999)}`),
  Duration: (dice) => dice.pick(['0s', '1h2m3.5s', '-250ms', '30s', '1ns']),
  FieldsV1: (dice) => dice.pick([{}, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } }]),
  RawExtension: (dice) => dice.pick([{}, { kind: 'X', z: 1, a: [null, '\u2028'] }, null]),
  Unknown: (dice) => dice.pick([{}, { kind: 'X', z: 1 }]),
  JSON: (dice) => dice.pick(jsonValues),
  Verbs: (dice) => [dice.pick(texts), 'get'],
  ExtraValue: (dice) => Array.from({ length: dice.below(3) }, () => dice.pick(texts)),
};

/** Seconds in the years 1 to 9998; year 1 begins with the zero time, which is no time. */
function time(dice: Dice): number {
  return (
    dice.pick([0, 1, -1, 951_782_400, 1_700_000_000, -62_135_596_799, 253_370_764_800 + dice.below(1000)]) ||
    dice.below(2 ** 31)
  );
}

function makeValue(type: string, dice: Dice, depth: number): unknown {
  const element = listElement(type);
  if (element !== undefined)
    return Array.from({ length: 1 + dice.below(3) }, () => makeValue(element, dice, depth));
  const entry = mapElement(type);
  if (entry !== undefined) {
    const keys = Array.from({ length: dice.below(4) }, () => dice.pick(texts));
    return Object.fromEntries(keys.map((key) => [key, makeValue(entry, dice, depth)]));
  }
  const short = type.slice(type.lastIndexOf('.') + 1);
  const leaf = leaves[short];
  if (leaf !== undefined) return leaf(dice);
  const schema = `${type.slice(0, type.lastIndexOf('.'))}.JSONSchemaProps`;
  if (short === 'JSONSchemaPropsOrBool')
    return dice.below(2) === 0 ? makeStruct(schema, dice, depth + 1) : dice.below(2) === 1;
  if (short === 'JSONSchemaPropsOrArray') {
    return dice.below(2) === 0
      ? makeStruct(schema, dice, depth + 1)
      : [makeStruct(schema, dice, depth + 1), {}];
  }
  if (short === 'JSONSchemaPropsOrStringArray')
    return dice.below(2) === 0 ? makeStruct(schema, dice, depth + 1) : ['a', ''];
  return makeStruct(type, dice, depth + 1);
}

function makeStruct(type: string, dice: Dice, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const rows: readonly FieldData[] = catalog.find(type)?.f ?? [];
  for (const row of rows) {
    if (row.inline || row.meta) continue;
    // About as many fields on every level, none where it gets deep.
    if (depth > 9 || dice.below(rows.length) >= Math.max(3, 12 - depth)) continue;
    out[row.n] = makeValue(row.t, dice, depth);
  }
  return out;
}

/** A random object of the type, without kind and apiVersion, in canonical form. */
export function randomObject(type: string, seed: number): Record<string, unknown> {
  return catalog.type(type).decode(makeStruct(type, new Dice(seed), 0));
}

/** Objects of a type in canonical form. */
export function objectsOf(type: string): fc.Arbitrary<Record<string, unknown>> {
  return fc.noBias(fc.integer()).map((seed) => randomObject(type, seed));
}
