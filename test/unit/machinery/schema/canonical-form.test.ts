import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../../../src/machinery/codec/index.ts';
import { catalog, kindNames, objectsOf } from '../codec/protobuf/random-object.ts';
import { compileFields, compiler, thing } from './support/types.ts';

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
