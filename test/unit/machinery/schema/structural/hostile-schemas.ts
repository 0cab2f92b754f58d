import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import type { RandomSource } from '../../../../support/random-source.ts';

/** A schema and an object that were made to do harm. */
export interface HostileCase {
  readonly schema: SchemaNode;
  /** JSON text of the member `spec` that the schema is for. */
  readonly spec: string;
}

const names = [
  'a',
  'b',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'metadata',
  'kind',
  'apiVersion',
  'length',
  '',
  '.',
  'a/b',
  '\u0000',
  '\ud800',
  'ü',
];
const patterns = [
  '^(a+)+$',
  '(a*)*(b*)*c',
  '^(a|aa)+$',
  '(.*)(.*)(.*)(.*)x',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '[ab]*a[ab]{100}[cd]?$',
  '^(([ab]|a){1,40}){1,20}$',
  '(?:(?:a{0,30}){0,30})$',
  '(?i)[^\\pL\\pN]{100}',
  '(?:a|b|ab|ba|aab){1,200}$',
  '(',
  'a{1001}',
  '[z-a]',
  '(?=a)',
  '\\1',
  '(?<n>a)',
  '\\pX',
  'x**',
];
const numbers = [
  '0',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '9223372036854775808',
  '-9223372036854775809',
  '0.1',
  '1E5',
  '5e-324',
];
const formats = ['date-time', 'duration', 'email', 'uri', 'ipv6', 'cidr', 'mac', 'uuid', 'isbn', 'byte', 'x'];
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null', 'thing', ''];

/** How many of something: mostly few, now and then very many. */
function amount(random: RandomSource): number {
  const luck = random.below(10_000);
  if (luck < 9_700) return random.below(4);
  if (luck < 9_980) return random.below(30);
  return random.below(luck < 9_999 ? 800 : 20_000);
}

const list = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const text = (random: RandomSource): string => {
  const unit = random.pick(['a', 'ab', 'x', 'é', '\u{1f600}', '"', '\\', '\u0000', '2020-01-01T', '1.']);
  return unit.repeat(amount(random) * (random.below(50) === 0 ? 100 : 1));
};
const number = (random: RandomSource): string => {
  const digits = random.pick(numbers);
  return random.below(20) > 0 ? digits : `${1 + random.below(9)}${'0123456789'.repeat(amount(random))}`;
};

/** A pattern: one of those that are known to be bad, repeated or nested. */
function pattern(random: RandomSource): string {
  const bad = random.pick(patterns);
  if (random.below(3) > 0) return bad;
  const count = amount(random);
  return random.below(2) === 0 ? bad.repeat(count) : `${'('.repeat(count)}${bad}${')*'.repeat(count)}`;
}

/** Deeper bodies are refused before anybody looks at them, a little above this. */
const deepest = 400;

/** What comes thousands of times is short itself. */
const longestRepeated = 50;

/** JSON text of any value, with members that come twice. */
export function hostileValue(random: RandomSource, depth: number): string {
  const choice = random.below(depth > 0 ? 12 : 5);
  if (choice === 0) return JSON.stringify(text(random));
  if (choice === 1) return number(random);
  if (choice < 5)
    return random.pick(['null', 'true', 'false', '""', '"a"', '[]', '{}', '"aaaaaaaaaaaaaaaaaaaaaaa!"']);
  if (choice === 5) {
    const levels = Math.min(amount(random), deepest);
    return `${'['.repeat(levels)}${hostileValue(random, 0)}${']'.repeat(levels)}`;
  }
  const count = amount(random);
  if (count > 100) {
    // Very many are alike but for a number.
    const any = hostileValue(random, 0);
    const one = any.length > longestRepeated ? '""' : any;
    const isList = choice < 9;
    const items = list(count, (at) => (isList ? (random.below(2) > 0 ? `${at}` : one) : `"m${at}":${one}`));
    return isList ? `[${items.join()}]` : `{${items.join()}}`;
  }
  if (choice < 9) return `[${list(count, () => hostileValue(random, depth - 1)).join()}]`;
  return `{${list(count, () => `${JSON.stringify(random.pick(names))}:${hostileValue(random, depth - 1)}`).join()}}`;
}

/** Any schema, with whatever is bad for the one who reads it. */
export function hostileSchema(random: RandomSource, depth: number): SchemaNode {
  const below = (): SchemaNode => hostileSchema(random, depth - 1);
  const alternatives = (): SchemaNode[] => {
    const count = amount(random);
    const bad = { pattern: random.pick(patterns), format: random.pick(formats) };
    return list(count, (at) => (count < 20 ? below() : { ...bad, maxLength: at }));
  };
  const makers: Readonly<Record<string, () => unknown>> = {
    type: () => random.pick(types),
    nullable: () => true,
    pattern: () => pattern(random),
    format: () => random.pick(formats),
    enum: () => {
      const count = amount(random);
      return list(count, (at) => (count < 20 ? JSON.parse(hostileValue(random, 1)) : `v${at}`));
    },
    minimum: () => Number(random.pick(numbers)),
    maximum: () => Number(random.pick(numbers)),
    multipleOf: () => random.pick([0, -1, 1e-300, 1e300, 0.1, 3]),
    maxLength: () => amount(random),
    minLength: () => amount(random),
    maxItems: () => amount(random),
    minProperties: () => amount(random),
    uniqueItems: () => true,
    required: () => list(amount(random), (at) => (random.below(3) > 0 ? `m${at}` : random.pick(names))),
    default: () => JSON.parse(hostileValue(random, 2)),
    $ref: () => random.pick(['#', '#/properties/spec', 'file:///etc/passwd']),
    'x-orch-preserve-unknown-fields': () => true,
    'x-orch-embedded-resource': () => true,
    'x-orch-int-or-string': () => true,
    'x-orch-list-type': () => random.pick(['set', 'map', 'atomic', 'x']),
    'x-orch-list-map-keys': () => list(amount(random), (at) => `m${at}`),
  };
  const schema: Record<string, unknown> = {};
  for (let left = random.below(4); left >= 0; left--) {
    const field = random.pick(Object.keys(makers));
    schema[field] = makers[field]?.();
  }
  if (depth === 0) return schema;
  const part = random.below(9);
  if (part < 3)
    schema.properties = Object.fromEntries(
      list(amount(random), (at) => [at < 9 ? random.pick(names) : `m${at}`, at < 9 ? below() : {}]),
    );
  else if (part === 3) schema.additionalProperties = below();
  else if (part === 4) schema.items = below();
  else if (part < 8) schema[random.pick(['anyOf', 'oneOf', 'allOf'])] = alternatives();
  else schema.not = below();
  return schema;
}

const largestBytes = 1_500_000;

/** Draws of one case; from then on everything is as small as can be. */
const mostDraws = 100_000;

/** The next case. */
export function hostileCase(source: RandomSource): HostileCase {
  let draws = 0;
  const below = (limit: number): number => (draws++ < mostDraws ? source.below(limit) : 0);
  // The index is within the bounds of lists that are not empty.
  const random: RandomSource = { below, pick: (values) => values[below(values.length)] as never };
  let schema = hostileSchema(random, 1 + random.below(4));
  if (random.below(100) === 0) {
    for (let level = Math.min(amount(random), deepest); level > 0; level--)
      schema = { type: 'array', items: schema };
  }
  const spec = hostileValue(random, 4);
  // Larger bodies are refused before anybody looks at them.
  const isLarge = JSON.stringify(schema).length > largestBytes || spec.length > largestBytes;
  return isLarge ? hostileCase(source) : { schema, spec };
}
