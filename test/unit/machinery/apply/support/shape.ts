import fc from 'fast-check';

/** What a random type looks like; the schema and the values are made from it. */
export type Shape =
  | { readonly kind: 'scalar' | 'set' | 'atomicList' | 'atomicMap' }
  | { readonly kind: 'struct'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'map' | 'open' | 'keyed' | 'twoKeys'; readonly of: Shape };

type Json = Record<string, unknown>;

const fieldNames = ['a', 'b'];
const mapNames = ['p', 'q', '__proto__'];
/** What the second key of `twoKeys` is where an item leaves it out. */
export const defaultNumber = 7;

const fixed: fc.Arbitrary<Shape> = fc
  .constantFrom('scalar' as const, 'set' as const, 'atomicList' as const, 'atomicMap' as const)
  .map((kind) => ({ kind }));

/** Types with up to `depth` levels of objects and lists. */
export function shapes(depth: number): fc.Arbitrary<Shape> {
  if (depth === 0) return fixed;
  const below = shapes(depth - 1);
  const parts = fc.constantFrom('map' as const, 'keyed' as const, 'twoKeys' as const);
  return fc.oneof(
    { weight: 1, arbitrary: fixed },
    { weight: 2, arbitrary: structs(depth) },
    { weight: 3, arbitrary: fc.record({ kind: parts, of: below }) },
    { weight: 1, arbitrary: opens },
  );
}

/** Objects with declared fields. */
export const structs = (depth: number): fc.Arbitrary<Shape & { kind: 'struct' }> =>
  fc
    .record(Object.fromEntries(fieldNames.map((name) => [name, shapes(depth - 1)])))
    .map((fields) => ({ kind: 'struct', fields }));

/** Objects without declared fields: members of one of these kinds, never of two, as a client would keep them. */
const opens: fc.Arbitrary<Shape> = fc
  .constantFrom<Shape>({ kind: 'scalar' }, { kind: 'atomicList' }, { kind: 'map', of: { kind: 'scalar' } })
  .map((of) => ({ kind: 'open', of }));

const number = { type: 'integer' };
const text = { type: 'string' };

/** The structural schema of a type. */
export function schemaOf(shape: Shape): Json {
  switch (shape.kind) {
    case 'scalar':
      return number;
    case 'set':
      return { type: 'array', 'x-orch-list-type': 'set', items: text };
    case 'atomicList':
      return { type: 'array', items: number };
    case 'atomicMap':
      return { type: 'object', 'x-orch-map-type': 'atomic', additionalProperties: number };
    case 'struct': {
      const fields = Object.entries(shape.fields);
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([name, of]) => [name, schemaOf(of)])),
      };
    }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.of) };
    case 'open':
      return { type: 'object', 'x-orch-preserve-unknown-fields': true, properties: {} };
    default: {
      const keys: Json =
        shape.kind === 'keyed' ? { k: text } : { k: text, n: { ...number, default: defaultNumber } };
      return {
        type: 'array',
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': Object.keys(keys),
        items: { type: 'object', properties: { ...keys, v: schemaOf(shape.of) } },
      };
    }
  }
}

const numbers = fc.constantFrom(1, 2);

/** Values of a type, few different ones so that managers meet. */
export function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'scalar':
      return numbers;
    case 'set':
      return fc.uniqueArray(fc.constantFrom('p', 'q', 'r'));
    case 'atomicList':
      return fc.array(numbers, { maxLength: 2 });
    case 'atomicMap':
      return fc.dictionary(fc.constantFrom(...mapNames), numbers, { maxKeys: 2, noNullPrototype: true });
    case 'struct':
      return objectsOf(shape);
    case 'map':
    case 'open':
      return fc.dictionary(fc.constantFrom(...mapNames), valuesOf(shape.of), {
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'keyed':
      return fc.uniqueArray(
        fc.record(
          { k: fc.constantFrom('p', 'q', 'r'), v: valuesOf(shape.of) },
          { requiredKeys: ['k'], noNullPrototype: true },
        ),
        { selector: ({ k }) => k, maxLength: 3 },
      );
    default:
      return fc.uniqueArray(
        fc.record(
          { k: fc.constantFrom('p', 'q'), n: fc.constantFrom(1, defaultNumber), v: valuesOf(shape.of) },
          { requiredKeys: ['k'], noNullPrototype: true },
        ),
        { selector: ({ k, n = defaultNumber }) => `${k} ${n}`, maxLength: 3 },
      );
  }
}

/** Objects of a type, with any of its fields. */
export function objectsOf(shape: Shape & { kind: 'struct' }): fc.Arbitrary<Json> {
  const fields = Object.entries(shape.fields).map(([name, of]) => [name, valuesOf(of)]);
  // Members of all fields are made here; what they hold is the shape's business.
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
    noNullPrototype: true,
  });
}

/** The object without the empty objects and lists that its members are. */
export function withoutEmpties(object: Json): Json {
  const full = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(full);
    return typeof value === 'object' && value !== null ? withoutEmpties(value as Json) : value;
  };
  const members = Object.entries(object).map(([name, value]): [string, unknown] => [name, full(value)]);
  return Object.fromEntries(
    members.filter(([, value]) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0),
  );
}
