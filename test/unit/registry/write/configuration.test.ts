import { expect } from 'chai';
import fc from 'fast-check';
import { takeSteps } from '../../../../src/base/index.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { GroupVersionKind } from '../../../../src/machinery/schema/index.ts';
import { compileConfiguration } from '../../../../src/registry/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { TestRegistry } from '../../../support/registry.ts';

const kind: GroupVersionKind = { group: '', version: 'v1', kind: 'ConfigMap' };
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

describe('compileConfiguration', () => {
  let registry: TestRegistry;
  before(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
  });
  after(() => registry[Symbol.asyncDispose]());

  const read = (text: string, live?: ApiObject, isForced = false): ApiObject => {
    const served = registry.served('v1/configmaps');
    const apply = compileConfiguration(served, { bytes: Buffer.from(text), kind, manager: 'm', isForced });
    return takeSteps(apply(live));
  };

  const same: [form: string, text: string][] = [
    ['YAML', `${head}data:\n  k: "1"\n  l: two\n`],
    ['YAML with braces', '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: "1", l: two}}'],
    ['JSON', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","l":"two"}}'],
    ['anchors', `${head}data: &d {k: "1", l: two}\nbinaryData: {}\n`],
    ['merge keys', `${head}data:\n  <<: {k: "0", l: two}\n  k: "1"\n`],
    ['comments and a document mark', `# first\n---\n${head}data: {k: '1', l: two} # last\n`],
    ['only the first of several documents', `${head}data: {k: '1', l: two}\n---\nanything: else\n`],
    ['the last of equal names', `${head}data: {k: '0', l: two, k: '1'}\n`],
  ];
  for (const [form, text] of same) {
    it(`reads ${form}`, () => {
      const object = read(text) as ApiObject & { data: unknown };
      expect(object.data).to.deep.equal({ k: '1', l: 'two' });
      expect(object.metadata.managedFields?.[0]).to.include({ manager: 'm', operation: 'Apply' });
    });
  }

  const json = (value: string): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},${value}}`;
  const nothing = /^Incorrect version specified in apply patch. Specified patch version: , expected: v1$/;
  const refused: [what: string, text: string, code: number, message: RegExp][] = [
    ['an empty body', '', 400, nothing],
    ['null', 'null', 400, nothing],
    ['a list', '[]', 400, /^error decoding YAML: .*cannot unmarshal array into Go value of type map/],
    ['a text', 'hello', 400, /^error decoding YAML: .*cannot unmarshal string into Go value/],
    ['an open brace', '{"a":', 400, /^error decoding YAML: error converting YAML to JSON: yaml: /],
    [
      'a tab for an indent',
      'a:\n\t- b',
      400,
      /^error decoding YAML: error converting YAML to JSON: yaml: line 2/,
    ],
    ['an alias without an anchor', 'a: *b', 400, /yaml: unknown anchor 'b' referenced$/],
    ['aliases of aliases', bomb(), 400, /yaml: document contains excessive aliasing$/],
    ['deep JSON', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400, /^error decoding YAML: /],
    ['deep YAML', `a: ${'['.repeat(50_000)}`, 400, /^error decoding YAML: /],
    [
      'another version',
      head.replace('v1', 'v2'),
      400,
      /^Incorrect version .* patch version: v2, expected: v1$/,
    ],
    [
      'owners',
      json('"metadata":{"name":"a","managedFields":[]}'),
      400,
      /^metadata.managedFields must be nil$/,
    ],
    ['owners that are none', json('"metadata":{"managedFields":"x"}'), 400, /managedFields must be nil$/],
    [
      'an unknown field',
      json('"spec":{}'),
      500,
      /^failed to create typed patch object: .spec: field not declared/,
    ],
    ['a name of prototypes', json('"__proto__":{"a":1}'), 500, /: .__proto__: field not declared in schema$/],
    [
      'another one',
      json('"constructor":{"prototype":1}'),
      500,
      /: .constructor: field not declared in schema$/,
    ],
    [
      'a wrong type',
      json('"data":{"k":1}'),
      500,
      /: .data.k: expected string, got &value.valueUnstructured\{Value:1\}$/,
    ],
    ['a list of data', json('"data":[]'), 500, /: .data: expected map, got &\{\[\]\}$/],
    ['a text of metadata', json('"metadata":"x"'), 500, /: .metadata: expected map, got &\{x\}$/],
    [
      'a kind that is not known',
      head.replace('ConfigMap', 'Thing'),
      500,
      /no corresponding type for \/v1, Kind=Thing$/,
    ],
    ['no kind', 'apiVersion: v1', 500, /no corresponding type for \/v1, Kind=$/],
    [
      'a kind of another endpoint',
      head.replace('ConfigMap', 'Secret'),
      500,
      /^failed to merge config: expected objects of the same type, but got ConfigMap and Secret$/,
    ],
    [
      'items twice',
      json('"metadata":{"finalizers":["a/b","a/b"]}'),
      500,
      /finalizers: duplicate entries for key/,
    ],
  ];
  for (const [what, text, code, message] of refused) {
    it(`refuses ${what}`, () => expectStatus(() => read(text), { code, message }));
  }

  it('lists no more wrong fields than anybody reads', async () => {
    const fields = Array.from({ length: 5000 }, (_, index) => `"x${index}":1`).join(',');
    const { message = '' } = await expectStatus(() => read(json(fields)), { code: 500 });
    expect(message.split('\n').length).to.be.within(2, 200);
  });

  it('keeps names that objects inherit as names of data', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
    const data = names.map((name) => `${JSON.stringify(name)}:"1"`).join(',');
    const first = read(json(`"data":{${data}}`)) as ApiObject & { data: object };
    expect(Object.entries(first.data).map(([name]) => name)).to.have.members(names);
    const own = { ...first, metadata: { ...first.metadata, uid: 'u' } };
    const second = read(json('"data":{"__proto__":"2"}'), own) as ApiObject & { data: object };
    expect(JSON.stringify(second.data)).to.equal('{"__proto__":"2"}');
    expect(({} as Record<string, unknown>)['1']).to.equal(undefined);
  });

  it('answers any JSON with an object or a Status', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const config = fc.record(
      {
        apiVersion: fc.oneof(fc.constant('v1'), value),
        kind: fc.oneof(fc.constant('ConfigMap'), value),
        metadata: fc.oneof(fc.record({ name: fc.constant('a'), labels: value, finalizers: value }), value),
        data: fc.oneof(fc.dictionary(fc.string(), fc.string()), value),
        immutable: value,
      },
      { requiredKeys: ['apiVersion'] },
    );
    const live = read(json('"data":{"k":"1"}'));
    live.metadata.uid = 'u';
    const text = JSON.stringify(live);
    fc.assert(
      fc.property(config, (fields) => {
        try {
          expect(read(JSON.stringify(fields), live, true).kind).to.equal('ConfigMap');
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
        }
        expect(JSON.stringify(live)).to.equal(text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Ten levels of lists that hold the one before nine times. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, index) => {
    const item = index === 0 ? 'x' : `*l${index - 1}`;
    return `l${index}: &l${index} [${Array(9).fill(item).join(', ')}]`;
  });
  return levels.join('\n');
}
