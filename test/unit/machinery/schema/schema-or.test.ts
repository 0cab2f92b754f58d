import { expect } from 'chai';
import { rawNumber } from '../../../../src/base/index.ts';
import { DecodeError } from '../../../../src/machinery/schema/index.ts';
import { catalog } from '../codec/protobuf/random-object.ts';

const props = catalog.type('apiextensions.orch.io/v1.JSONSchemaProps');

const says = (given: string, where: string, type: string): string =>
  `unmarshalerDecoder: json: cannot unmarshal ${given} into Go ${where} of type ${type}, error found in`;

describe('places where JSON schema takes more than a schema', () => {
  const rows: readonly (readonly [field: string, given: unknown, written: unknown])[] = [
    ['items', { type: 'string' }, { type: 'string' }],
    ['items', [{ type: 'string' }, null], [{ type: 'string' }, {}]],
    ['additionalProperties', { type: 'string', nope: 1 }, { type: 'string' }],
    ['additionalProperties', true, true],
    ['additionalProperties', false, false],
    ['default', { b: 1, a: null }, { b: 1, a: null }],
    ['default', 0, 0],
    ['enum', ['a', 1, null, {}], ['a', 1, null, {}]],
    ['dependencies', { a: ['b', null], c: { type: 'object' } }, { a: ['b', ''], c: { type: 'object' } }],
    ['properties', { z: {}, a: { properties: { b: {} } } }, { a: { properties: { b: {} } }, z: {} }],
  ];
  for (const [field, given, written] of rows) {
    it(`${field} takes ${JSON.stringify(given)}`, () => {
      expect(props.decode({ [field]: given })).to.deep.equal({ [field]: written });
    });
  }

  const refused: readonly (readonly [field: string, given: unknown, reason: string])[] = [
    ['additionalProperties', 'x', 'unmarshalerDecoder: boolean or JSON schema expected'],
    ['additionalProperties', [], 'unmarshalerDecoder: boolean or JSON schema expected'],
    [
      'dependencies',
      { a: [1] },
      'unmarshalerDecoder: json: cannot unmarshal number into Go value of type string',
    ],
    ['items', { type: 5 }, says('number', 'struct field JSONSchemaProps.type', 'string')],
    [
      'items',
      { not: { nullable: 'x' } },
      says('string', 'struct field JSONSchemaProps.not.nullable', 'bool'),
    ],
    ['items', [{}, 'x'], says('string', 'value', 'v1.JSONSchemaProps')],
    ['items', { items: ['x'] }, says('string', 'struct field JSONSchemaProps.items', 'v1.JSONSchemaProps')],
    [
      'items',
      { title: 1, items: { items: { type: 1 } } },
      says('number', 'struct field JSONSchemaProps.items', 'string'),
    ],
    [
      'items',
      { dependencies: true },
      says('bool', 'struct field JSONSchemaProps.dependencies', 'v1.JSONSchemaDependencies'),
    ],
    [
      'items',
      { properties: { a: { maxLength: 1.5 } } },
      says('number 1.5', 'struct field JSONSchemaProps.properties.maxLength', 'int64'),
    ],
    [
      'items',
      { properties: [] },
      says('array', 'struct field JSONSchemaProps.properties', 'map[string]v1.JSONSchemaProps'),
    ],
    ['items', { $schema: 1 }, says('number', 'struct field JSONSchemaProps.$schema', 'v1.JSONSchemaURL')],
    [
      'additionalProperties',
      { externalDocs: { url: 1 } },
      says('number', 'struct field ExternalDocumentation.externalDocs.url', 'string'),
    ],
    [
      'additionalProperties',
      { additionalProperties: 1 },
      'unmarshalerDecoder: boolean or JSON schema expected',
    ],
    [
      'additionalProperties',
      { anyOf: [1] },
      says('number', 'struct field JSONSchemaProps.anyOf', 'v1.JSONSchemaProps'),
    ],
    ['default', [rawNumber('1e400')], 'readNumberAsString: invalid number'],
    ['enum', [{ a: rawNumber('-1e400') }], 'readNumberAsString: invalid number'],
  ];
  for (const [field, given, reason] of refused) {
    it(`${field} refuses ${JSON.stringify(given)}`, () => {
      expect(() => props.decode({ [field]: given })).to.throw(DecodeError, reason);
    });
  }
});
