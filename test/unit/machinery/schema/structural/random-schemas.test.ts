import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { isJsonObject } from '../../../../../src/base/index.ts';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import { compileSchema, withSpec } from './custom-schema-fixture.ts';
import { anySchema, anyValue } from './random-schemas.ts';

/** Compiling for the other validator takes most of the time. */
const comparisons = 300;
const runs = { numRuns: 1000 };

/**
 * The same schema in the words of JSON schema: bounds exclude by themselves, and null, where it may stand, is looked at
 * for nothing but the allowed values, of which it is none.
 */
function inJsonSchema(schema: SchemaNode): object {
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  const out: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(others)) out[field] = translate(field, value);
  if (minimum !== undefined) out[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) out[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
  const ofOthers = { allOf: [{ not: { type: 'null' } }, out] };
  const allowsNull = schema.enum === undefined && (nullable === true || schema.type === undefined);
  return allowsNull ? { anyOf: [{ type: 'null' }, ofOthers] } : ofOthers;
}

function translate(field: string, value: unknown): unknown {
  if (['anyOf', 'oneOf', 'allOf'].includes(field) && Array.isArray(value)) return value.map(inJsonSchema);
  if (['not', 'items', 'additionalProperties'].includes(field) && isJsonObject(value))
    return inJsonSchema(value);
  if (field !== 'properties' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [
      name,
      isJsonObject(property) ? inJsonSchema(property) : {},
    ]),
  );
}

/** A default that has a null in it is none: nulls that are not allowed go before defaults come. */
const anyDefault = anyValue.filter((value) => !JSON.stringify(value).includes('null'));

const ajv = new Ajv({ strict: false, addUsedSchema: false, logger: false });

describe('schemas of custom resources', () => {
  it('take and refuse what an independent validator of JSON schema does', () => {
    const verdicts = new Map<boolean, number>();
    fc.assert(
      fc.property(anySchema, anyValue, (schema, spec) => {
        const errors = compileSchema(withSpec(schema)).validateValues({ spec });
        const isRight = ajv.validate(inJsonSchema(schema), spec);
        verdicts.set(isRight, (verdicts.get(isRight) ?? 0) + 1);
        expect(errors.length === 0, errors.join('\n')).to.equal(isRight);
      }),
      { numRuns: comparisons },
    );
    // Both verdicts are frequent enough to mean something.
    expect(Math.min(verdicts.get(true) ?? 0, verdicts.get(false) ?? 0)).to.be.greaterThan(comparisons / 10);
  });

  it('prune to what the schema names, once and for all', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, spec) => {
        const compiled = compileSchema(withSpec(schema));
        const object = { spec };
        compiled.prune(object);
        const pruned = JSON.stringify(object);
        compiled.prune(object);
        expect(JSON.stringify(object)).to.equal(pruned);
        expect(strangers(schema, object.spec)).to.deep.equal([]);
      }),
      runs,
    );
  });

  it('set defaults once and for all', () => {
    fc.assert(
      fc.property(anySchema, anyDefault, anyValue, (schema, fallback, spec) => {
        const compiled = compileSchema(withSpec(withDefaults(schema, fallback)));
        const object = { spec };
        compiled.applyDefaults(object);
        const set = JSON.stringify(object);
        compiled.applyDefaults(object);
        expect(JSON.stringify(object)).to.equal(set);
      }),
      runs,
    );
  });
});

/** Members of a value that its schema does not name. */
function strangers(schema: SchemaNode, value: unknown): string[] {
  if (schema['x-orch-preserve-unknown-fields'] === true) return [];
  if (Array.isArray(value)) return value.flatMap((each) => strangers(asSchema(schema.items), each));
  if (!isJsonObject(value)) return [];
  const properties = asSchema(schema.properties);
  return Object.entries(value).flatMap(([name, member]) => {
    const property = properties[name] ?? schema.additionalProperties;
    return property === undefined ? [name] : strangers(asSchema(property), member);
  });
}

const asSchema = (value: unknown): SchemaNode => (isJsonObject(value) ? value : {});

/** The schema with a default at each property. */
function withDefaults(schema: SchemaNode, fallback: unknown): SchemaNode {
  const properties = Object.entries(asSchema(schema.properties)).map(([name, property]) => [
    name,
    { ...withDefaults(asSchema(property), fallback), default: fallback },
  ]);
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(properties) }),
    ...(schema.items === undefined ? {} : { items: withDefaults(asSchema(schema.items), fallback) }),
  };
}
