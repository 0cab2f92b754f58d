import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../../../src/machinery/codec/index.ts';
import type { FieldData } from '../../../../src/machinery/schema/index.ts';
import { catalog, kindNames, objectsOf } from '../codec/protobuf/random-object.ts';
import { compileFields, compiler, thing } from './support/types.ts';

const absent = Symbol('absent');

interface Row {
  readonly type: string;
  readonly flags?: Partial<Pick<FieldData, 'ptr' | 'omit'>>;
  /** What the canonical form has for a value; `absent` stands for no member. */
  readonly values: readonly (readonly [given: unknown, written: unknown])[];
}

const rows: readonly Row[] = [
  {
    type: 'string',
    values: [
      [absent, ''],
      [null, ''],
      ['', ''],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [null, absent],
      ['', absent],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [null, absent],
      ['', ''],
      ['a', 'a'],
    ],
  },
  {
    type: 'string',
    flags: { ptr: 1 },
    values: [
      [absent, null],
      [null, null],
      ['', ''],
    ],
  },
  {
    type: 'int32',
    values: [
      [absent, 0],
      [0, 0],
      [-5, -5],
    ],
  },
  {
    type: 'int32',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [0, absent],
      [7, 7],
    ],
  },
  {
    type: 'int64',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [0, 0],
    ],
  },
  {
    type: 'bool',
    values: [
      [absent, false],
      [true, true],
    ],
  },
  {
    type: 'bool',
    flags: { omit: 1 },
    values: [
      [false, absent],
      [true, true],
    ],
  },
  {
    type: 'bytes',
    values: [
      [absent, null],
      [null, null],
      ['AA==', 'AA=='],
    ],
  },
  {
    type: 'list<string>',
    values: [
      [absent, null],
      [null, null],
      // Stored lists that are empty come back as absent.
      [[], null],
      [['a'], ['a']],
      [[null], ['']],
    ],
  },
  {
    type: 'list<string>',
    flags: { omit: 1 },
    values: [
      [absent, absent],
      [[], absent],
      [
        ['b', 'a'],
        ['b', 'a'],
      ],
    ],
  },
  {
    type: 'map<string,string>',
    values: [
      [absent, null],
      [{}, null],
      [{ a: '' }, { a: '' }],
    ],
  },
  {
    type: 'map<string,string>',
    flags: { omit: 1 },
    values: [
      [{}, absent],
      [{ a: null }, { a: '' }],
    ],
  },
  {
    type: 'x/v1.Item',
    flags: { omit: 1 },
    values: [
      // Structs know no emptiness.
      [absent, { name: '' }],
      [null, { name: '' }],
      [{}, { name: '' }],
      [{ size: 1 }, { name: '', size: 1 }],
    ],
  },
  {
    type: 'x/v1.Item',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [{}, { name: '' }],
    ],
  },
  {
    type: 'list<x/v1.Item>',
    values: [
      [
        [null, { size: 0 }],
        [{ name: '' }, { name: '' }],
      ],
    ],
  },
  {
    type: 'Time',
    values: [
      [absent, null],
      ['0001-01-01T00:00:00Z', null],
      ['2020-01-01T01:00:00+01:00', '2020-01-01T00:00:00Z'],
    ],
  },
  {
    type: 'Time',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      ['0001-01-01T00:00:00Z', absent],
    ],
  },
  {
    type: 'Quantity',
    values: [
      [absent, '0'],
      ['1000m', '1'],
    ],
  },
  {
    type: 'any',
    flags: { omit: 1, ptr: 1 },
    values: [
      [absent, absent],
      [false, false],
      [{ b: [1, null] }, { b: [1, null] }],
    ],
  },
];

describe('canonical form of one field', () => {
  for (const { type, flags = {}, values } of rows) {
    const title = `${type}${flags.ptr ? ' that may be null' : ''}${flags.omit ? ', left out when empty' : ''}`;
    const compiled = compileFields([{ n: 'f', t: type, ...flags }]);
    for (const [given, written] of values) {
      const shown = (value: unknown): string => (value === absent ? 'nothing' : JSON.stringify(value));
      it(`${title}: ${shown(given)} becomes ${shown(written)}`, () => {
        const decoded = compiled.decode(given === absent ? {} : { f: given });
        expect(decoded).to.deep.equal(written === absent ? {} : { f: written });
      });
    }
  }

  it('keeps an empty list of items, since lists of objects are never stored', () => {
    const compiled = compileFields([{ n: 'items', t: 'list<string>' }]);
    expect(compiled.decode({ items: [] })).to.deep.equal({ items: [] });
    expect(compiled.decode({})).to.deep.equal({ items: null });
  });
});

describe('canonical form of an object', () => {
  it('has the fields in the order of the type, and no others', () => {
    const decoded = thing.decode({
      spec: { items: [{ size: 2, color: 'red', name: 'a' }], replicas: 1, nope: {} },
      extra: true,
      kind: 'Thing',
      metadata: { labels: { z: '1', a: '2' }, name: 'n' },
    });
    expect(JSON.stringify(decoded)).to.equal(
      '{"kind":"Thing","metadata":{"name":"n","labels":{"a":"2","z":"1"}},' +
        '"spec":{"replicas":1,"cpu":"0","port":0,"items":[{"name":"a","size":2}]}}',
    );
  });

  it('goes into types that contain themselves', () => {
    const deep = { parent: { parent: { metadata: { name: 'root' } } } };
    const decoded = thing.decode(deep) as { parent: { parent: { metadata: unknown } } };
    expect(decoded.parent.parent.metadata).to.deep.equal({ name: 'root' });
  });

  it('takes inherited members for absent', () => {
    const compiled = compileFields([{ n: 'name', t: 'string', omit: 1 }]);
    expect(compiled.decode(JSON.parse('{"__proto__":{"name":"inherited"}}'))).to.deep.equal({});
  });

  it('has ordinary keys of maps called like members of every object', () => {
    const text = '{"f":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const compiled = compileFields([{ n: 'f', t: 'map<string,string>' }]);
    expect(JSON.stringify(compiled.decode(JSON.parse(text)))).to.equal(text);
  });

  it('shares nothing with what it was made from', () => {
    const given = { spec: { items: [{ name: 'a' }], anything: { list: [1] } } };
    const decoded = thing.decode(given) as typeof given;
    decoded.spec.items[0] = { name: 'changed' };
    decoded.spec.anything.list.push(2);
    expect(given).to.deep.equal({ spec: { items: [{ name: 'a' }], anything: { list: [1] } } });
  });

  it('leaves rows out that only Protobuf has', () => {
    const compiled = compileFields([
      { n: 'handler', t: 'x/v1.Item', inline: 1 },
      { n: 'name', t: 'string', in: 'handler', omit: 1 },
      { n: 'hidden', t: 'string', json: '-' },
    ]);
    expect(compiled.fields.map(({ name }) => name)).to.deep.equal(['name']);
    expect(compiled.decode({ handler: {}, hidden: 'x', name: 'n' })).to.deep.equal({ name: 'n' });
  });
});

describe('canonical form of the built-in kinds', () => {
  for (const name of kindNames) {
    it(`of ${name} is its own canonical form`, () => {
      const type = catalog.type(name);
      const empty = type.decode({});
      expect(type.decode(empty)).to.deep.equal(empty);
      fc.assert(
        fc.property(objectsOf(name), (object) => {
          const before = JSON.stringify(object);
          expect(JSON.stringify(type.canonicalize(object))).to.equal(before);
          expect(JSON.stringify(type.decode(parseJson(Buffer.from(before))))).to.equal(before);
        }),
        { numRuns: 5 },
      );
    });
  }
});

describe('TypeCompiler', () => {
  it('compiles a type once', () => {
    expect(compiler.type('x/v1.Item')).to.equal(compiler.type('x/v1.Item'));
  });

  it('refuses a type that it has no data for', () => {
    expect(() => compiler.type('x/v1.Nope')).to.throw(RangeError, 'type not found: "x/v1.Nope"');
  });

  it('refuses a field of an unknown type when the first object is decoded', () => {
    const compiled = compileFields([{ n: 'f', t: 'x/v1.Nope' }]);
    expect(() => compiled.decode({})).to.throw(RangeError, 'type not found: "x/v1.Nope"');
  });

  it('says of each field what walkers of the type need', () => {
    const compiled = compileFields([
      { n: 'plain', t: 'string' },
      {
        n: 'list',
        t: 'list<x/v1.Item>',
        ptr: 1,
        omit: 1,
        req: 1,
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategy: ['merge', 'retainKeys'],
        patchMergeKey: 'name',
      },
    ]);
    expect(compiled.fields).to.deep.equal([
      {
        name: 'plain',
        type: 'string',
        isPointer: false,
        omitsEmpty: false,
        isRequired: false,
        listType: undefined,
        listMapKeys: undefined,
        patchStrategies: [],
        patchMergeKey: undefined,
      },
      {
        name: 'list',
        type: 'list<x/v1.Item>',
        isPointer: true,
        omitsEmpty: true,
        isRequired: true,
        listType: 'map',
        listMapKeys: ['name'],
        patchStrategies: ['merge', 'retainKeys'],
        patchMergeKey: 'name',
      },
    ]);
  });
});
