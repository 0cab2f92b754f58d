import { expect } from 'chai';
import { rawNumber } from '../../../../src/base/index.ts';
import { DecodeError } from '../../../../src/machinery/schema/index.ts';
import { catalog } from '../codec/protobuf/random-object.ts';

const props = catalog.type('apiextensions.orch.io/v1.JSONSchemaProps');

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
    ['items', { type: 5 }, 'unmarshalerDecoder: '],
    ['default', [rawNumber('1e400')], 'readNumberAsString: invalid number'],
    ['enum', [{ a: rawNumber('-1e400') }], 'readNumberAsString: invalid number'],
  ];
  for (const [field, given, reason] of refused) {
    it(`${field} refuses ${JSON.stringify(given)}`, () => {
      expect(() => props.decode({ [field]: given })).to.throw(DecodeError, reason);
    });
  }
});
