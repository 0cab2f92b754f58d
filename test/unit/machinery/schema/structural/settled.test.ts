import { expect } from 'chai';
import fc from 'fast-check';
import { isJsonObject, type JsonObject } from '../../../../../src/base/index.ts';
import type { CustomSchema, SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import { compileKeeping, compileSchema, objectWith, read, withSpec } from './custom-schema-fixture.ts';
import { anySchema, anyValue } from './random-schemas.ts';

const text = { type: 'string' };
const defaulted = { type: 'string', default: 'd' };
const anything = { type: 'object', 'x-orch-preserve-unknown-fields': true };
const keeps = (a: SchemaNode): SchemaNode => ({ type: 'object', properties: { a } });

/** What is said of an object, and whether its defaults and pruning change it. */
function judge(schema: CustomSchema, object: JsonObject): { isSettled: boolean; isChanged: boolean } {
  const before = JSON.stringify(object);
  const isSettled = schema.isSettled(object);
  expect(JSON.stringify(object), 'looking changes nothing').to.equal(before);
  schema.applyDefaults(object);
  schema.prune(object);
  schema.coerceEmbedded(object, { dropsInvalid: true });
  return { isSettled, isChanged: JSON.stringify(object) !== before };
}

describe('CustomSchema.isSettled', () => {
  const settled: readonly (readonly [string, SchemaNode, string])[] = [
    ['an object of its properties', keeps(text), '{"a":"x"}'],
    ['an object that has what there are defaults for', keeps(defaulted), '{"a":"x"}'],
    ['null where it is allowed', keeps({ ...defaulted, nullable: true }), '{"a":null}'],
    ['a value of another type than the schema wants', keeps(text), '{"a":[1,"b"]}'],
    ['members of maps', { type: 'object', additionalProperties: keeps(text) }, '{"k":{"a":"x"}}'],
    ['scalars in maps of anything', { type: 'object', additionalProperties: true }, '{"k":1}'],
    ['unknown members that are kept', { ...keeps(text), ...anything }, '{"a":"x","b":{"c":[{}]}}'],
    ['items of lists', { type: 'array', items: keeps(text) }, '[{"a":"x"},5,[]]'],
    ['large numbers', keeps({ type: 'integer' }), '{"a":9007199254740993}'],
  ];
  for (const [what, schema, spec] of settled) {
    it(`knows ${what}`, () => {
      expect(judge(compileSchema(withSpec(schema)), objectWith(spec))).to.deep.equal({
        isSettled: true,
        isChanged: false,
      });
    });
  }

  const changed: readonly (readonly [string, SchemaNode, string])[] = [
    ['an unknown member', keeps(text), '{"b":1}'],
    ['an unknown member that is null', keeps(text), '{"b":null}'],
    ['a missing default', keeps(defaulted), '{}'],
    ['null in place of a default', keeps(defaulted), '{"a":null}'],
    ['null that is not allowed', keeps(text), '{"a":null}'],
    ['null in a map', { type: 'object', additionalProperties: text }, '{"k":null}'],
    ['an object in a map of anything', { type: 'object', additionalProperties: true }, '{"k":{"a":1}}'],
    ['an unknown member of an item', { type: 'array', items: keeps(text) }, '[{"a":"x"},{"b":1}]'],
    ['an object in a list of which nothing is said', { type: 'array' }, '[{"b":1}]'],
    ['a default for null in a list', { type: 'array', items: { ...text, default: 'd' } }, '[null]'],
    ['members of what should be text', keeps(text), '{"a":{"b":1}}'],
    [
      'metadata of an embedded object that is not canonical',
      keeps({ ...anything, 'x-orch-embedded-resource': true }),
      '{"a":{"apiVersion":"v1","kind":"A","metadata":{"x":1}}}',
    ],
  ];
  for (const [what, schema, spec] of changed) {
    it(`knows ${what} by what changes`, () => {
      expect(judge(compileSchema(withSpec(schema)), objectWith(spec))).to.deep.equal({
        isSettled: false,
        isChanged: true,
      });
    });
  }

  it('takes unknown members where the definition keeps them', () => {
    const object = objectWith('{"b":[{"c":{}}],"a":"x"}');
    expect(judge(compileKeeping(withSpec(keeps(text))), object)).to.deep.equal({
      isSettled: true,
      isChanged: false,
    });
    expect(judge(compileKeeping(undefined), objectWith('{"b":[{"c":null}]}')).isSettled).to.equal(true);
  });

  it('looks at what a schema says of metadata', () => {
    const named = {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: text } } },
    };
    const object = (metadata: string): JsonObject =>
      read(`{"kind":"A","apiVersion":"b","metadata":${metadata}}`);
    expect(judge(compileSchema(named), object('{"name":"a","labels":{"b":"c"}}'))).to.deep.equal({
      isSettled: true,
      isChanged: false,
    });
    expect(judge(compileSchema(named), object('{"name":null}'))).to.deep.equal({
      isSettled: false,
      isChanged: true,
    });
    const withDefault = { type: 'object', properties: { metadata: keeps(defaulted) } };
    expect(judge(compileSchema(withDefault), object('{}')).isSettled).to.equal(false);
  });

  it('is true of nothing that changes, for random schemas and objects, and of most that were settled', () => {
    const count = { all: 0, settled: 0, known: 0 };
    fc.assert(
      fc.property(
        anySchema,
        fc.option(anyValue),
        fc.boolean(),
        anyValue,
        (schema, fallback, isKeeping, spec) => {
          const given = withSpec(fallback === null ? schema : withDefaults(schema, fallback));
          const compiled = isKeeping ? compileKeeping(given) : compileSchema(given);
          const object = { spec };
          const first = judge(compiled, object);
          expect(first.isSettled && first.isChanged).to.equal(false);
          const second = judge(compiled, object);
          expect(second.isSettled && second.isChanged).to.equal(false);
          count.all++;
          if (!first.isChanged) count.settled++;
          if (second.isSettled) count.known++;
        },
      ),
      { numRuns: 2000 },
    );
    expect(count.settled).to.be.within(count.all / 10, (count.all * 9) / 10);
    expect(count.known).to.be.greaterThan(count.all * 0.8);
  });
});

const asSchema = (value: unknown): SchemaNode => (isJsonObject(value) ? value : {});

/** The schema with a default at some of its properties. */
function withDefaults(schema: SchemaNode, fallback: unknown): SchemaNode {
  const properties = Object.entries(asSchema(schema.properties)).map(([name, property], index) => {
    const below = withDefaults(asSchema(property), fallback);
    return [name, index % 2 === 0 ? { ...below, default: fallback } : below];
  });
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(properties) }),
    ...(schema.items === undefined ? {} : { items: withDefaults(asSchema(schema.items), fallback) }),
  };
}
