import type { SeededRandom } from './seeded-random.ts';

/** Makes a value that is nested `depth` deep. */
function nested(depth: number, inArrays: boolean): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = inArrays ? [value] : { a: value };
  return value;
}

/** Keys with a meaning to the runtime, none of which may ever take effect. */
export const runtimeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
];

const values: readonly ((random: SeededRandom) => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => [],
  () => ({}),
  () => -1,
  () => 0.5,
  () => 1e308,
  () => 2 ** 53,
  () => -(2 ** 63),
  () => '\u0000',
  () => '\ud800 lone',
  () => '\u202e right to left',
  () => ' leading',
  () => '../../etc/passwd',
  () => '%s%n{{.}}$(1)',
  () => 'x'.repeat(300),
  () => 'é'.repeat(5000),
  () => 'a.b/c'.repeat(40),
  () => '9'.repeat(400),
  () => '1e999999',
  () => '-0',
  () => '1Ki5',
  () => '2021-13-45T99:99:99Z',
  () => '*',
  () => 'default',
  (random) => random.below(100_000),
  (random) => nested(random.below(3000), random.happens(0.5)),
  (random) => Array.from({ length: random.below(2000) }, () => 'a'),
  (random) => Object.fromEntries(Array.from({ length: random.below(500) }, (_, n) => [`k${n}`, n])),
  (random) => Object.fromEntries([[random.pick(runtimeKeys), { polluted: true, isAdmin: true }]]),
];

/** A copy of a JSON value with some of its parts replaced, removed, doubled or renamed. */
export function mutateJson(value: unknown, random: SeededRandom): unknown {
  const copy = structuredClone(value);
  const places = listPlaces(copy);
  if (places.length === 0) return random.pick(values)(random);
  for (let count = 1 + random.below(3); count > 0; count--) mutatePlace(random.pick(places), random);
  return random.happens(0.03) ? random.pick(values)(random) : copy;
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** Every member of every object and array below a value. */
function listPlaces(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  const holder = value as Record<string, unknown>; // arrays are read by index in the same way
  for (const key of Object.keys(holder)) {
    places.push({ holder, key });
    listPlaces(holder[key], places);
  }
  return places;
}

function mutatePlace({ holder, key }: Place, random: SeededRandom): void {
  const choice = random.below(10);
  if (choice < 6) holder[key] = random.pick(values)(random);
  else if (choice === 6) delete holder[key];
  else if (choice === 7) holder[`${key}${random.pick(['', ' ', '\u0000', '.', '/', 'X'])}`] = holder[key];
  else if (choice === 8) define(holder, random.pick(runtimeKeys), { polluted: true });
  else if (Array.isArray(holder[key])) holder[key].push(...structuredClone(holder[key]));
  else holder[key.toUpperCase()] = holder[key];
}

/** Sets an own member, also one that assignment would take for the prototype. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The bytes of a value, now and then no longer JSON or no longer text. */
export function mutateBytes(bytes: Buffer, random: SeededRandom): Buffer {
  const at = random.below(bytes.length + 1);
  const insert = (part: Buffer | string) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(part), bytes.subarray(at)]);
  switch (random.below(10)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return insert(Buffer.from([0xff, 0xfe, 0xc0, 0x80]));
    case 2:
      return insert('\u0000');
    case 3:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 4:
      return Buffer.from('['.repeat(1 + random.below(100_000)));
    case 5:
      return Buffer.from(`{"a":${'{"a":'.repeat(random.below(20_000))}`);
    case 6:
      return Buffer.concat([bytes, bytes]);
    case 7:
      return insert(
        random.pick([
          '"',
          '\\',
          '\\u12',
          '{',
          ']',
          ',',
          ':',
          'NaN',
          '1e',
          '/*',
          '\n---\n',
          '&a *a',
          '!!js/function x',
        ]),
      );
    case 8: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    default:
      return Buffer.from(
        random.pick([
          '',
          'null',
          '0',
          '"text"',
          '[]',
          '{}',
          'true',
          '{"__proto__":{"polluted":true}}',
          'k8s\u0000\n\u0004',
        ]),
      );
  }
}
