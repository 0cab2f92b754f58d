import type { TypeCatalog } from '../../../../src/machinery/schema/index.ts';

/** Numbers from a seed (mulberry32), so that an object can be made again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Below `limit`, a whole number. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

const maxDepth = 7;

/** A random object of a type: any fields, with values that the fields' types allow. */
export function randomObject(
  catalog: TypeCatalog,
  typeName: string,
  random: Random,
): Record<string, unknown> {
  return makeMessage({ catalog, random }, typeName, 0);
}

interface Source {
  readonly catalog: TypeCatalog;
  readonly random: Random;
}

function makeMessage(source: Source, typeName: string, depth: number): Record<string, unknown> {
  const { catalog, random } = source;
  const enums = new Map((catalog.find(typeName)?.f ?? []).map((field) => [field.n, field.e]));
  const object: Record<string, unknown> = {};
  for (const field of catalog.type(typeName).fields) {
    if (field.name === 'kind' || field.name === 'apiVersion' || field.name === 'managedFields') continue;
    const isDeep = depth >= maxDepth || (depth > 3 && isMessage(field.type));
    if (!field.isRequired && random.below(10) >= (isDeep ? 1 : 5)) continue;
    if (depth >= maxDepth && isMessage(field.type)) continue;
    const values = catalog.enumValues(enums.get(field.name) ?? '').filter((value) => value !== '');
    object[field.name] =
      values.length > 0 && field.type === 'string'
        ? random.pick(values)
        : makeValue(source, field.type, depth + 1);
  }
  return object;
}

const isMessage = (type: string): boolean =>
  type.includes('.') && !(type.slice(type.lastIndexOf('.')) in simple);

const word = (random: Random): string => random.pick(['a', 'bc', 'x-1', 'web', 'long-name', 'é']);

/** Values of types with a JSON form of their own, by the end of their name. */
const simple: Readonly<Record<string, (random: Random) => unknown>> = {
  '.Quantity': (random) => random.pick(['1', '250m', '2Gi', '3k']),
  '.Time': (random) => random.pick(['2021-02-03T04:05:06Z', '2020-12-31T23:59:59Z']),
  '.MicroTime': () => '2021-02-03T04:05:06.000007Z',
  '.Duration': () => '1m30s',
  '.IntOrString': (random) => random.pick([1, 80, '25%', 'http']),
  '.RawExtension': (random) => ({ apiVersion: 'v1', kind: 'Thing', size: random.below(9) }),
  '.FieldsV1': () => ({ 'f:spec': {} }),
  '.Verbs': () => ['get'],
  '.ExtraValue': (random) => [word(random)],
  '.JSON': (random) => random.pick<unknown>([1, 'text', true, { a: [1] }, ['b']]),
  '.JSONSchemaPropsOrArray': () => ({ type: 'string' }),
  '.JSONSchemaPropsOrBool': (random) => random.pick<unknown>([true, { type: 'integer' }]),
  '.JSONSchemaPropsOrStringArray': (random) => random.pick<unknown>([['a'], { type: 'string' }]),
};

function makeValue(source: Source, type: string, depth: number): unknown {
  const { random } = source;
  if (type.startsWith('list<')) {
    return Array.from({ length: 1 + random.below(2) }, () => makeValue(source, type.slice(5, -1), depth));
  }
  if (type.startsWith('map<string,')) {
    const keys = new Set([word(random), word(random)]);
    return Object.fromEntries([...keys].map((key) => [key, makeValue(source, type.slice(11, -1), depth)]));
  }
  switch (type) {
    case 'string':
      return word(random);
    case 'bool':
      return random.below(2) === 1;
    case 'int32':
    case 'int64':
      return random.below(100);
    case 'double':
      return random.below(100) / 4;
    case 'bytes':
      return random.pick(['YQ==', 'aGVsbG8=']);
    case 'any':
      return { any: random.below(3) };
  }
  const make = simple[type.slice(type.lastIndexOf('.'))];
  return make === undefined ? makeMessage(source, type, depth) : make(random);
}
