import fc from 'fast-check';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';

const names = ['a', 'b', 'c', 'd'] as const;
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.oneof(
  fc.constantFrom('x', 'ab', 'abc', 'ü\u{1f600}'),
  fc.integer({ min: -4, max: 4 }),
  fc.constantFrom(-2.5, 0.5, 1.5),
  fc.boolean(),
);

/** Any JSON value of a few names and numbers, so that schemas of the same often fit; no empty text, and no null in lists. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.constant(null),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
})).value;

const withoutHoles = <T extends object>(record: T): SchemaNode =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** Now and then a value, else none. */
const option = <T>(arbitrary: fc.Arbitrary<T>, weightOfNone = 5): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: weightOfNone }, { arbitrary, weight: 1 });

/** What may be wanted of values, inside of logical junctors as well. */
const wanted = fc.record({
  minimum: option(fc.integer({ min: -3, max: 3 })),
  maximum: option(fc.integer({ min: -3, max: 3 })),
  exclusiveMinimum: option(fc.boolean()),
  exclusiveMaximum: option(fc.boolean()),
  minLength: option(small),
  maxLength: option(small),
  pattern: option(fc.constantFrom('^a', 'b', '^[a-z]+$', 'ü')),
  minItems: option(small),
  maxItems: option(small),
  minProperties: option(small),
  maxProperties: option(small),
  required: option(fc.uniqueArray(name, { maxLength: 2 })),
  enum: option(fc.uniqueArray(fc.constantFrom('x', 'ab', true, false), { minLength: 1, maxLength: 3 }), 8),
});

const leaf: fc.Arbitrary<SchemaNode> = wanted.map(withoutHoles);
const membersOf = (schema: fc.Arbitrary<SchemaNode>): fc.Arbitrary<Record<string, SchemaNode>> =>
  fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });

/** What is wanted of values, with logical junctors of such in it. */
function wantedOf(nested: fc.Arbitrary<SchemaNode>): fc.Arbitrary<SchemaNode> {
  const some = fc.array(nested, { minLength: 1, maxLength: 2 });
  const junctors = fc.record({
    anyOf: option(some, 6),
    oneOf: option(some, 6),
    allOf: option(some, 6),
    not: option(nested, 8),
  });
  return fc.tuple(leaf, junctors).map(([own, combined]) => withoutHoles({ ...own, ...combined }));
}

/** Schemas that say which values are wanted, so many levels deep. */
function wantedAt(depth: number): fc.Arbitrary<SchemaNode> {
  if (depth === 0) return leaf;
  const nested = wantedAt(depth - 1);
  return fc
    .tuple(wantedOf(nested), option(membersOf(nested)), option(nested))
    .map(([own, properties, items]) => withoutHoles({ ...own, properties, items }));
}

/** Structural schemas, so many levels deep. */
function schemaAt(depth: number): fc.Arbitrary<SchemaNode> {
  const scalars: fc.Arbitrary<SchemaNode> = fc
    .constantFrom('string', 'integer', 'number', 'boolean')
    .map((type) => ({ type }));
  const shapes = [scalars, fc.constant<SchemaNode>({ 'x-orch-preserve-unknown-fields': true })];
  if (depth > 0) {
    const below = schemaAt(depth - 1);
    shapes.push(
      membersOf(below).map((properties) => ({ type: 'object', properties })),
      below.map((additionalProperties) => ({ type: 'object', additionalProperties })),
      below.map((items) => ({ type: 'array', items })),
    );
  }
  return fc
    .tuple(fc.oneof(...shapes), wantedAt(Math.min(depth, 2)), option(fc.constant(true)))
    .map(([own, also, nullable]) => withoutHoles({ ...also, ...own, nullable }));
}

/** Random structural schemas of the part of the language that JSON schema has in common with it. */
export const anySchema: fc.Arbitrary<SchemaNode> = schemaAt(3);
