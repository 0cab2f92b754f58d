import { expect } from 'chai';
import type { SchemaNode } from '../../../../../src/machinery/schema/structural/index.ts';
import { compileSchema, objectWith, withProperties } from './custom-schema-fixture.ts';

const embedded = { type: 'object', 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true };
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is " +
  "'[a-z]([-a-z0-9]*[a-z0-9])?')";

function errorsOf(properties: SchemaNode, value: string, old?: string): string[] {
  const schema = compileSchema(withProperties(properties));
  return schema
    .validateMarkers(objectWith(value), old === undefined ? undefined : objectWith(old))
    .map(String);
}

describe('CustomSchema.validateMarkers', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['takes an object with a version and a kind', '{"apiVersion":"v1","kind":"Pod"}', []],
    [
      'wants both',
      '{"metadata":{}}',
      [
        'spec.t.apiVersion: Required value: must not be empty',
        'spec.t.kind: Required value: must not be empty',
      ],
    ],
    [
      'wants text that is not empty',
      '{"apiVersion":"","kind":5}',
      [
        'spec.t.apiVersion: Invalid value: "": must not be empty',
        'spec.t.kind: Invalid value: 5: must be a string',
      ],
    ],
    [
      'checks what they are',
      '{"apiVersion":"a/b/c","kind":"x y"}',
      [
        'spec.t.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        `spec.t.kind: Invalid value: "x y": may have mixed case, but should otherwise match: ${label}`,
      ],
    ],
    [
      'checks metadata, whose name may be missing or as any path has it',
      '{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"UP_","labels":{"a":"b c"}}}',
      [
        'spec.t.metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of ' +
          "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. " +
          "'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    ['has nothing to say of what is no object', '"text"', []],
  ];
  for (const [title, value, expected] of cases) {
    it(`of embedded objects: ${title}`, () => {
      expect(errorsOf({ t: embedded }, `{"t":${value}}`)).to.deep.equal(expected);
    });
  }

  it('of embedded objects in lists and maps names their places', () => {
    const properties = {
      l: { type: 'array', items: embedded },
      m: { type: 'object', additionalProperties: embedded },
    };
    const value = '{"l":[{"apiVersion":"v1","kind":"A"},{"apiVersion":"v1"}],"m":{"k":{"kind":"A"}}}';
    expect(errorsOf(properties, value)).to.deep.equal([
      'spec.l[1].kind: Required value: must not be empty',
      'spec.m[k].apiVersion: Required value: must not be empty',
    ]);
  });

  const set = { type: 'array', 'x-orch-list-type': 'set', items: {} };
  const map = {
    type: 'array',
    'x-orch-list-type': 'map',
    'x-orch-list-map-keys': ['k'],
    items: { type: 'object' },
  };
  const two = { ...map, 'x-orch-list-map-keys': ['k', 'p'] };
  const lists: readonly (readonly [string, SchemaNode, string, readonly string[]])[] = [
    ['items of sets differ', set, '["a","b",1,"1",1.0,null,[1],{"a":1}]', []],
    [
      'an item of a set that is there again is told once',
      set,
      '["a","b","a","a",{"x":[1.5,null]},{"x":[1.5,null]}]',
      [
        'spec.l[2]: Duplicate value: "a"',
        'spec.l[5]: Duplicate value: map[string]interface {}{"x":[]interface {}{1.5, interface {}(nil)}}',
      ],
    ],
    [
      'items of maps differ in their key',
      map,
      '[{"k":"a","v":1},{"k":"b"},{"k":"a","v":2}]',
      ['spec.l[2]: Duplicate value: map[string]interface {}{"k":"a"}'],
    ],
    [
      'without a key they are the same',
      map,
      '[{},null,{"k":null}]',
      ['spec.l[1]: Duplicate value: map[string]interface {}{}'],
    ],
    [
      'all keys count',
      two,
      '[{"k":"a","p":1},{"k":"a","p":2},{"p":1,"k":"a"}]',
      ['spec.l[2]: Duplicate value: map[string]interface {}{"k":"a", "p":1}'],
    ],
    [
      'items of maps are objects',
      map,
      '["a",{"k":"b"},{"k":"b"}]',
      ['spec.l[0]: Invalid value: "a": must be an object for an array of list-type map'],
    ],
  ];
  for (const [title, list, value, expected] of lists) {
    it(`of lists: ${title}`, () => {
      expect(errorsOf({ l: list }, `{"l":${value}}`)).to.deep.equal(expected);
    });
  }

  it('lets an object keep repeated items, but not get them', () => {
    expect(errorsOf({ l: set }, '{"l":["a","a"]}', '{"l":["b","b"]}')).to.deep.equal([]);
    expect(errorsOf({ l: set }, '{"l":["a","a"]}', '{"l":["a"]}')).to.deep.equal([
      'spec.l[1]: Duplicate value: "a"',
    ]);
  });
});

describe('CustomSchema.coerceEmbedded', () => {
  const schema = compileSchema(withProperties({ t: embedded }));

  it('gives metadata its canonical form', () => {
    const object = objectWith(
      '{"t":{"metadata":{"name":"x","odd":1,"labels":{"b":"1","a":"2"}},"spec":{"a":1}}}',
    );
    expect(schema.coerceEmbedded(object, { dropsInvalid: false })).to.equal(undefined);
    expect(JSON.stringify(object.spec)).to.equal(
      '{"t":{"metadata":{"name":"x","labels":{"a":"2","b":"1"}},"spec":{"a":1}}}',
    );
  });

  it('refuses what does not fit', () => {
    const refused = (value: string): string =>
      String(schema.coerceEmbedded(objectWith(value), { dropsInvalid: false }));
    expect(refused('{"t":{"kind":5}}')).to.equal('spec.t.kind: Invalid value: 5: must be a string');
    expect(refused('{"t":{"metadata":{"labels":5}}}')).to.match(
      /^spec\.t\.metadata: Invalid value: map\[string\]interface \{\}\{"labels":5\}: v1\.ObjectMeta\.Labels: ReadMapCB/,
    );
  });

  it('drops what does not fit, when it is told to', () => {
    const object = objectWith('{"t":{"kind":5,"metadata":{"name":"x","labels":5,"finalizers":["a"]}}}');
    expect(schema.coerceEmbedded(object, { dropsInvalid: true })).to.equal(undefined);
    expect(object.spec).to.deep.equal({ t: { metadata: { name: 'x', finalizers: ['a'] } } });
  });
});
