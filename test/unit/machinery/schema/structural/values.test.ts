import { expect } from 'chai';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import { compileSchema, objectWith, read, withSpec } from './custom-schema-fixture.ts';

/** Errors of `spec` by its schema, as `path: text`. */
const errorsOf = (spec: SchemaNode, value: string): string[] =>
  compileSchema(withSpec(spec)).validateValues(objectWith(value)).map(String);

type Case = readonly [schema: SchemaNode, value: string, ...errors: string[]];

/** An error of `spec` itself. */
const spec = (value: string, text: string): string => `spec: Invalid value: ${value}: spec in body ${text}`;
const wrongType = (found: string, wanted: string): string =>
  spec(`"${found}"`, `must be of type ${wanted}: "${found}"`);

function itFinds(title: string, cases: readonly Case[]): void {
  it(title, () => {
    for (const [schema, value, ...errors] of cases) {
      expect(errorsOf(schema, value), `${JSON.stringify(schema)} ${value}`).to.deep.equal(errors);
    }
  });
}

const text = { type: 'string' };
const integer = { type: 'integer' };

describe('CustomSchema.validateValues', () => {
  itFinds('tells types apart, a whole double being an integer too', [
    [text, '"a"'],
    [text, '5', wrongType('integer', 'string')],
    [text, 'true', wrongType('boolean', 'string')],
    [text, '1.5', wrongType('number', 'string')],
    [text, '[1]', wrongType('array', 'string')],
    [text, '{}', wrongType('object', 'string')],
    [integer, '5'],
    [integer, '5.0'],
    [integer, '5e3'],
    [integer, '-2.0'],
    [integer, '9223372036854775807'],
    [integer, '9223372036854775808', wrongType('number', 'integer')],
    [integer, '1e300', wrongType('number', 'integer')],
    [integer, '1.5', wrongType('number', 'integer')],
    [integer, '-1.5', wrongType('number', 'integer')],
    // A difference of less than a billionth is none.
    [integer, '1000000000.5'],
    [integer, '100000000.5', wrongType('number', 'integer')],
    [{ type: 'number' }, '5'],
    [{ type: 'number' }, '"5"', wrongType('string', 'number')],
    [{ type: 'boolean' }, 'false'],
    [{ type: 'object' }, '[]', wrongType('array', 'object')],
    [{ 'x-orch-int-or-string': true }, '5'],
    [{ 'x-orch-int-or-string': true }, '"5"'],
    [{ 'x-orch-int-or-string': true }, '1.5', wrongType('number', 'integer,string')],
    [{}, '[1,"a",{}]'],
  ]);

  itFinds('takes null where it is allowed, and an empty text for null', [
    [text, 'null', wrongType('null', 'string')],
    [{ ...text, nullable: true }, 'null'],
    [{}, 'null'],
    [text, '""', wrongType('null', 'string')],
    [{ ...text, nullable: true }, '""'],
    [
      { ...text, nullable: true, enum: ['a', null] },
      'null',
      'spec: Unsupported value: "null": supported values: "a", "null"',
    ],
    [{ type: 'array', items: text }, '["a",null]', wrongType('null', 'string')],
  ]);

  itFinds('compares integers with the whole part of bounds, doubles with all of it', [
    [{ minimum: 1, maximum: 10 }, '1'],
    [{ minimum: 1, maximum: 10 }, '0', spec('0', 'should be greater than or equal to 1')],
    [{ minimum: 1, maximum: 10 }, '11', spec('11', 'should be less than or equal to 10')],
    [{ minimum: 1, exclusiveMinimum: true }, '1', spec('1', 'should be greater than 1')],
    [{ maximum: 1, exclusiveMaximum: true }, '1', spec('1', 'should be less than 1')],
    [{ maximum: 1.5 }, '1.6', spec('1.6', 'should be less than or equal to 1.5')],
    [{ maximum: 1.5 }, '2', spec('2', 'should be less than or equal to 1')],
    [{ minimum: 0.5 }, '0'],
    [{ minimum: 0.5 }, '0.25', spec('0.25', 'should be greater than or equal to 0.5')],
    [{ maximum: 1000000 }, '2000000.5', spec('2.0000005e+06', 'should be less than or equal to 1e+06')],
    [{ maximum: 0.00001 }, '0.5', spec('0.5', 'should be less than or equal to 1e-05')],
    [
      { maximum: 9007199254740992 },
      '9007199254740993',
      spec('9007199254740993', 'should be less than or equal to 9007199254740992'),
    ],
    [{ minimum: 1 }, '"a"'],
  ]);

  itFinds('divides', [
    [{ multipleOf: 3 }, '9'],
    [{ multipleOf: 3 }, '10', spec('10', 'should be a multiple of 3')],
    [{ multipleOf: 0.5 }, '1.5'],
    [{ multipleOf: 0.5 }, '2'],
    [{ multipleOf: 0.5 }, '0.3', spec('0.3', 'should be a multiple of 0.5')],
    [{ multipleOf: 0.1 }, '0.3'],
    [{ multipleOf: 2 }, '9007199254740993', spec('9007199254740993', 'should be a multiple of 2')],
    [
      { multipleOf: -2 },
      '4',
      'spec: Invalid value: -2: factor MultipleOf declared for spec must be positive: -2',
    ],
  ]);

  itFinds('counts characters, and tells of the first thing that is wrong with a text', [
    [{ maxLength: 2 }, '"a\u{1f600}"'],
    [{ maxLength: 2 }, '"abc"', spec('"abc"', 'should be at most 2 chars long')],
    [{ minLength: 2 }, '"\u{1f600}"', spec('"\u{1f600}"', 'should be at least 2 chars long')],
    [{ pattern: '^[a-z]+$' }, '"2020"', spec('"2020"', "should match '^[a-z]+$'")],
    [{ pattern: 'b' }, '"abc"'],
    [{ pattern: 'b', minLength: 2 }, '"a"', spec('"a"', 'should be at least 2 chars long')],
    [
      { pattern: '(a' },
      '"x"',
      spec('"x"', "should match '(a, but pattern is invalid: error parsing regexp: missing closing ): `(a`'"),
    ],
  ]);

  itFinds('names formats as the schema does, and ignores those that it does not know', [
    [{ ...text, format: 'date-time' }, '"2020-01-01T00:00:00Z"'],
    [
      { ...text, format: 'date-time' },
      '"yesterday"',
      spec('"yesterday"', 'must be of type date-time: "yesterday"'),
    ],
    [{ ...text, format: 'int32' }, '"yesterday"'],
    [{ ...integer, format: 'int32' }, '2147483648'],
    [{ ...text, format: 'ipv4' }, '5', wrongType('int64', 'ipv4')],
    [{ ...text, format: 'ipv4' }, '1.5', wrongType('float64', 'ipv4')],
    [{ ...text, format: 'ipv4' }, 'true', spec('""', 'must be of type ipv4: ""')],
    // A list is not looked at by release 1.20 where a format is given.
    [{ ...text, format: 'ipv4' }, '[1]'],
    [
      { ...integer, format: 'ipv4' },
      '"x"',
      wrongType('string', 'integer'),
      spec('"x"', 'must be of type ipv4: "x"'),
    ],
  ]);

  itFinds('knows the allowed values', [
    [{ enum: ['A', 'B'] }, '"A"'],
    [{ enum: ['A', 1] }, '"C"', 'spec: Unsupported value: "C": supported values: "A", "1"'],
    [
      { enum: ['A', 'B'] },
      '[1,"a",null]',
      'spec: Unsupported value: []interface {}{1, "a", interface {}(nil)}: supported values: "A", "B"',
    ],
    [{ enum: ['A'] }, 'true', 'spec: Unsupported value: true: supported values: "A"'],
    [{ enum: [1, 2.5] }, '1.0'],
    [{ enum: [1, 2.5] }, '3', 'spec: Unsupported value: 3: supported values: "1", "2.5"'],
    [{ enum: [{ a: [1] }] }, '{"a":[1]}'],
    [
      { enum: [{ a: [1] }] },
      '{"a":[2]}',
      'spec: Unsupported value: map[string]interface {}{"a":[]interface {}{2}}: supported values: "{\\"a\\":[1]}"',
    ],
  ]);

  itFinds('counts items and members', [
    [{ minItems: 1 }, '[]', spec('0', 'should have at least 1 items')],
    [{ maxItems: 1 }, '[1,2]', spec('2', 'should have at most 1 items')],
    [{ uniqueItems: true }, '[1,"1",{"a":1}]'],
    [{ uniqueItems: true }, '[{"a":1},{"a":1}]', spec('""', "shouldn't contain duplicates")],
    [{ minProperties: 2 }, '{"a":1}', spec('2', 'should have at least 2 properties')],
    [
      { maxProperties: 1, properties: { a: text } },
      '{"a":1,"b":2}',
      spec('1', 'should have at most 1 properties'),
    ],
  ]);

  itFinds('looks into objects and lists, whose items have no place of their own', [
    [
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: text, b: { ...text, default: 'x' }, c: integer },
      },
      '{"c":"x"}',
      'spec.c: Invalid value: "string": spec.c in body must be of type integer: "string"',
      'spec.a: Required value',
    ],
    [
      { type: 'object', additionalProperties: integer },
      '{"k":"v"}',
      'spec.k: Invalid value: "string": spec.k in body must be of type integer: "string"',
    ],
    [
      { type: 'array', items: { type: 'object', required: ['k'] } },
      '[{},{"k":1},{},5]',
      'spec.k: Required value',
      wrongType('integer', 'object'),
    ],
    [
      { type: 'object', additionalProperties: false },
      '{"a":1,"id":2}',
      'spec: Invalid value: "a": spec.a in body is a forbidden property',
    ],
    [{ type: 'object', required: ['a'] }, '{"a":null}'],
  ]);

  itFinds('combines schemas, telling of the alternative that fits best', [
    [
      { anyOf: [{ minimum: 1 }, { maximum: -1 }] },
      '0',
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      spec('0', 'should be greater than or equal to 1'),
    ],
    [{ anyOf: [{ minimum: 1 }, { maximum: -1 }] }, '-5'],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{}',
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{"a":1,"b":2}',
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      // The second alternative passes one check more.
      { oneOf: [{ enum: [1] }, { properties: { a: { minimum: 1 } }, required: ['b'] }] },
      '{"a":2}',
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.b: Required value',
    ],
    [
      { allOf: [{ minimum: 1 }, { maximum: 5 }] },
      '9',
      spec('9', 'should be less than or equal to 5'),
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
    ],
    [
      { allOf: [{ minimum: 10 }, { maximum: 5 }] },
      '9',
      spec('9', 'should be greater than or equal to 10'),
      spec('9', 'should be less than or equal to 5'),
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ],
    [{ not: { enum: [5] } }, '5', '<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
    [{ not: { enum: [5] } }, '6'],
  ]);

  it('names what stands at the root', () => {
    const schema = compileSchema({
      type: 'object',
      required: ['spec'],
      additionalProperties: { type: 'string' },
    });
    const errors = schema.validateValues(read('{"other":5}'));
    expect(errors.map(String)).to.deep.equal([
      'other: Invalid value: "integer": .other in body must be of type string: "integer"',
      'spec: Required value',
    ]);
    expect(errors.map(({ reason }) => reason)).to.deep.equal(['FieldValueInvalid', 'FieldValueRequired']);
  });

  it('takes anything without a schema', () => {
    expect(compileSchema(undefined).validateValues(objectWith('{"a":[null,""]}'))).to.deep.equal([]);
  });
});
