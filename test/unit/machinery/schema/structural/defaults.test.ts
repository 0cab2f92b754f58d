import { expect } from 'chai';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import { compileSchema, objectWith, read, withSpec } from './custom-schema-fixture.ts';

function setDefaults(spec: SchemaNode, value: string): unknown {
  const object = objectWith(value);
  compileSchema(withSpec(spec)).applyDefaults(object);
  return object.spec;
}

const text = { type: 'string' };
const defaulted = { type: 'string', default: 'd' };

describe('CustomSchema.applyDefaults', () => {
  const cases: readonly (readonly [string, SchemaNode, string, unknown])[] = [
    [
      'sets what is absent, and then what is in it',
      {
        type: 'object',
        properties: {
          a: defaulted,
          o: { type: 'object', default: {}, properties: { x: { type: 'boolean', default: true } } },
          p: { type: 'object', properties: { y: defaulted } },
        },
      },
      '{}',
      { a: 'd', o: { x: true } },
    ],
    [
      'looks into lists and maps',
      {
        type: 'object',
        properties: {
          l: { type: 'array', items: { type: 'object', properties: { a: defaulted } } },
          m: { type: 'object', additionalProperties: { type: 'object', properties: { a: defaulted } } },
        },
      },
      '{"l":[{},{"a":"x"}],"m":{"k":{}}}',
      { l: [{ a: 'd' }, { a: 'x' }], m: { k: { a: 'd' } } },
    ],
    [
      'takes null for absent where it is not allowed',
      {
        type: 'object',
        properties: { a: defaulted, b: text, n: { type: 'string', nullable: true, default: 'z' } },
        additionalProperties: text,
      },
      '{"a":null,"b":null,"n":null,"c":null}',
      { a: 'd', n: null },
    ],
    [
      'leaves null alone that nothing is said of, and in lists',
      { type: 'object', properties: { l: { type: 'array', items: text } } },
      '{"l":[null,"a"],"free":null}',
      { l: [null, 'a'], free: null },
    ],
    [
      'puts the default of items in the place of null',
      { type: 'array', items: defaulted },
      '[null,"a"]',
      ['d', 'a'],
    ],
    ['does nothing to values of other types', { type: 'object', properties: { a: defaulted } }, '"x"', 'x'],
  ];
  for (const [title, spec, value, expected] of cases) {
    it(title, () => {
      const set = setDefaults(spec, value);
      expect(set).to.deep.equal(expected);
      expect(setDefaults(spec, JSON.stringify(set)), 'set again').to.deep.equal(expected);
    });
  }

  it('gives each object a default of its own', () => {
    const schema = compileSchema(
      withSpec({ type: 'object', default: {}, properties: { l: { type: 'array', default: [{ a: 1 }] } } }),
    );
    const [first, second] = [read('{}'), read('{}')];
    schema.applyDefaults(first);
    schema.applyDefaults(second);
    expect(first).to.deep.equal({ spec: { l: [{ a: 1 }] } });
    expect(first.spec).to.not.equal(second.spec);
    const listOf = (object: typeof first): unknown => Object(object.spec).l;
    expect(listOf(first)).to.not.equal(listOf(second));
  });

  it('sets fields whose names objects inherit', () => {
    const properties = JSON.parse('{"__proto__":{"default":1},"constructor":{"default":2}}');
    const set = setDefaults({ type: 'object', properties }, '{}');
    expect(JSON.stringify(set)).to.equal('{"__proto__":1,"constructor":2}');
  });
});
