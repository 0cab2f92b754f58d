import { expect } from 'chai';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import {
  compileKeeping,
  compileSchema,
  objectWith,
  read,
  withProperties,
  withSpec,
} from './custom-schema-fixture.ts';

const text = { type: 'string' };

function prune(spec: SchemaNode, value: string): unknown {
  const object = objectWith(value);
  compileSchema(withSpec(spec)).prune(object);
  return object.spec;
}

describe('CustomSchema.prune', () => {
  const cases: readonly (readonly [string, SchemaNode, string, unknown])[] = [
    [
      'removes fields without a property, at any depth',
      { type: 'object', properties: { a: text, in: { type: 'object', properties: { b: text } } } },
      '{"a":"x","zz":1,"in":{"b":"y","c":[2]}}',
      { a: 'x', in: { b: 'y' } },
    ],
    [
      'looks into the items of lists',
      { type: 'array', items: { type: 'object', properties: { a: text } } },
      '[{"a":"x","b":1},[{"c":1}],5,null]',
      [{ a: 'x' }, [{}], 5, null],
    ],
    [
      'keeps members of maps, and prunes what they are',
      { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
      '{"k":{"a":"x","b":1},"l":2}',
      { k: { a: 'x' }, l: 2 },
    ],
    [
      'empties the objects in maps of anything',
      { type: 'object', additionalProperties: true },
      '{"k":{"a":1},"l":2,"m":[{"a":1}]}',
      { k: {}, l: 2, m: [{}] },
    ],
    [
      'keeps what is asked for, and prunes the properties among it',
      {
        type: 'object',
        'x-orch-preserve-unknown-fields': true,
        properties: { known: { type: 'object', properties: { k: text } } },
      },
      '{"q":{"r":1},"known":{"k":"v","drop":1}}',
      { q: { r: 1 }, known: { k: 'v' } },
    ],
    [
      'keeps unknown fields of a list that asks for it, in its lists too',
      {
        type: 'array',
        'x-orch-preserve-unknown-fields': true,
        items: { type: 'array', items: { type: 'object', properties: { a: { type: 'object' } } } },
      },
      '[[{"x":1,"a":{"y":1}}]]',
      [[{ x: 1, a: {} }]],
    ],
    [
      'keeps identity and metadata of embedded objects',
      { type: 'object', 'x-orch-embedded-resource': true, properties: { a: text } },
      '{"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"a":"x","b":1}',
      { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' }, a: 'x' },
    ],
    ['empties an object where a scalar is described', { type: 'string' }, '{"a":1}', {}],
    [
      'knows no names but an object own ones',
      { type: 'object', properties: { a: text } },
      '{"__proto__":{"a":1},"constructor":1,"toString":2}',
      {},
    ],
  ];
  for (const [title, spec, value, expected] of cases) {
    it(title, () => {
      const pruned = prune(spec, value);
      expect(JSON.stringify(pruned)).to.equal(JSON.stringify(expected));
      const again = prune(spec, JSON.stringify(pruned));
      expect(JSON.stringify(again), 'pruned again').to.equal(JSON.stringify(expected));
    });
  }

  it('keeps what every object has, and a status only if it is described', () => {
    const object = read('{"apiVersion":"a/v1","kind":"W","metadata":{"odd":1},"status":{"a":1},"other":1}');
    compileSchema({ type: 'object', properties: { spec: {} } }).prune(object);
    expect(object).to.deep.equal({ apiVersion: 'a/v1', kind: 'W', metadata: { odd: 1 } });
  });

  it('removes nothing where the definition preserves unknown fields', () => {
    const object = objectWith('{"a":{"b":1}}');
    compileKeeping(withProperties({})).prune(object);
    expect(object.spec).to.deep.equal({ a: { b: 1 } });
  });
});
