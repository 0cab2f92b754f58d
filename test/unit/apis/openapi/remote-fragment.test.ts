import { expect } from 'chai';
import {
  digestOfDefinition,
  joinRemoteFragment,
  jsonEncoding,
  protobufEncoding,
  type RemoteFragment,
  readRemoteFragment,
} from '../../../../src/apis/openapi/index.ts';
import type { Json } from './support.ts';

const place = { group: 'a.example.com', version: 'v1' };
const things = '/apis/a.example.com/v1/things';
const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const answering = (schema: unknown, more: Json = {}) => ({
  get: { operationId: 'o', responses: { 200: { description: 'OK', schema } }, ...more },
});

function read(document: Json): RemoteFragment {
  const steps = readRemoteFragment(Buffer.from(JSON.stringify(document)), place);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** What a fragment adds to a document that has the definitions `taken` already. */
function join(
  document: Json,
  taken: Readonly<Record<string, object | ''>> = {},
): { paths: Json; definitions: Json } {
  const digests = new Map(
    Object.entries(taken).map(([name, schema]) => [name, schema === '' ? '' : digestOfDefinition(schema)]),
  );
  const { fragment } = joinRemoteFragment(read(document), (name) => digests.get(name));
  return {
    paths: Object.fromEntries(fragment.paths()),
    definitions: Object.fromEntries(fragment.definitions()),
  };
}

const object = (properties: Json = {}) => ({ type: 'object', properties });

describe('readRemoteFragment', () => {
  it('takes the paths of the version, and the definitions that they lead to', () => {
    const { paths, definitions } = join({
      swagger: '2.0',
      definitions: { C: object(), B: object({ c: ref('C'), b: ref('B') }), A: ref('B'), Unused: object() },
      paths: {
        [things]: answering(ref('A')),
        '/apis/a.example.com/v1beta1/things': answering(ref('Unused')),
        '/apis/a.example.com/v1': answering(ref('Unused')),
        '/api/v1/pods': answering(ref('Unused')),
      },
    });
    expect(paths).to.deep.equal({ [things]: answering(ref('A')) });
    expect(Object.keys(definitions)).to.deep.equal(['A', 'B', 'C']);
    expect(definitions.B).to.deep.equal(object({ c: ref('C'), b: ref('B') }));
  });

  it('puts the parameters of the whole document where they are referred to', () => {
    const name = { name: 'limit', in: 'query', type: 'integer' };
    const parameters = [
      { $ref: '#/parameters/limit' },
      { $ref: '#/parameters/nothing' },
      { name: 'x', in: 'header' },
    ];
    const { paths } = join({
      paths: { [things]: { ...answering({}, { parameters }), parameters } },
      parameters: { limit: name },
    });
    const found = [name, { name: 'x', in: 'header', type: 'string' }];
    expect(paths[things].get.parameters).to.deep.equal(found);
    expect(paths[things].parameters).to.deep.equal(found);
  });

  const odd: readonly (readonly [what: string, schema: unknown, shown: unknown])[] = [
    ['a reference that leads nowhere', { ...ref('Nothing'), description: 'd' }, { description: 'd' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/' }, {}],
    ['a type that nobody knows', { type: 'thing', format: 'x' }, { format: 'x' }],
    ['a list of types', { type: ['string', 'null'] }, {}],
    ['a list of nothing', { type: 'array' }, {}],
    ['a text', 'text', {}],
    ['properties that are none', { type: 'object', properties: { a: 1, b: null } }, object({ a: {}, b: {} })],
    [
      'members of the wrong type',
      { type: 'string', minLength: 'x', description: 5, required: [1] },
      { type: 'string' },
    ],
    ['members of other versions', { type: 'string', oneOf: [{}], nullable: true }, { type: 'string' }],
    ['extensions', { type: 'object', 'x-a': { any: 1 } }, { type: 'object', 'x-a': { any: 1 } }],
  ];
  for (const [what, schema, shown] of odd) {
    it(`makes what clients can read of ${what}`, () => {
      const { definitions } = join({ definitions: { A: schema }, paths: { [things]: answering(ref('A')) } });
      expect(definitions.A).to.deep.equal(shown);
    });
  }

  it('leaves out operations that are none, and what is too long', () => {
    const long = object({ a: { description: 'x'.repeat(2 ** 20) } });
    const { paths, definitions } = join({
      definitions: { Long: long },
      paths: {
        [things]: { get: 1, put: null, post: { parameters: 1, tags: 5 } },
        [`${things}/x`]: answering(ref('Long')),
      },
    });
    expect(paths[things]).to.deep.equal({ post: { responses: {} } });
    expect(paths[`${things}/x`]).to.deep.equal(answering({}));
    expect(definitions).to.deep.equal({});
  });

  for (const text of ['', 'null', '[]', '{"paths":[]}', '{"paths":', `{"paths":{"${things}":nonsense}}`]) {
    it(`refuses what is no document: ${text}`, () => {
      expect(() => [...readRemoteFragment(Buffer.from(text), place)]).to.throw();
    });
  }

  it('refuses more definitions than any server has', () => {
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`D${at}`, 1]));
    expect(() => read({ definitions: many })).to.throw('more than 20000 definitions');
  });
});

describe('joinRemoteFragment', () => {
  const meta = object({ name: { type: 'string' } });
  const thing = object({ metadata: ref('Meta') });
  const document = {
    definitions: { Meta: meta, Thing: thing },
    paths: { [things]: answering(ref('Thing')) },
  };

  it('shares definitions that say the same, whatever kinds they stand for', () => {
    const taken = { ...meta, 'x-orch-group-version-kind': [{ kind: 'Meta' }] };
    const { definitions } = join(document, { Meta: taken });
    expect(definitions).to.deep.equal({ Thing: thing });
  });

  it('numbers those that say something else, with all references', () => {
    const { definitions, paths } = join(document, { Meta: object(), Meta_v2: '', Thing: '' });
    expect(paths).to.deep.equal({ [things]: answering(ref('Thing_v2')) });
    expect(definitions).to.deep.equal({ Meta_v3: meta, Thing_v2: object({ metadata: ref('Meta_v3') }) });
  });

  it('leaves texts alone that look like references', () => {
    const description = '"$ref":"#/definitions/Meta"';
    const told = { ...document, definitions: { ...document.definitions, Thing: { ...thing, description } } };
    expect(join(told, { Meta: '' }).definitions.Thing.description).to.equal(description);
  });

  it('has the same key when it joins in the same way, and another one else', () => {
    const remote = read(document);
    const keyOf = (taken: Readonly<Record<string, string>>) =>
      joinRemoteFragment(remote, (name) => taken[name]).key;
    expect(keyOf({})).to.equal(keyOf({ Other: '' }));
    expect(keyOf({})).not.to.equal(keyOf({ Meta: '' }));
    expect(keyOf({ Meta: digestOfDefinition(meta) })).not.to.equal(keyOf({}));
  });

  it('can be written in both encodings', () => {
    const { fragment } = joinRemoteFragment(read(document), () => undefined);
    const write = (encoding: typeof jsonEncoding) =>
      encoding.fragment.map((part) => Buffer.concat([...part(fragment)]));
    const [paths, definitions] = write(jsonEncoding).map((bytes) =>
      JSON.parse(`{${bytes.toString().slice(1)}}`),
    );
    expect([Object.keys(paths), Object.keys(definitions)]).to.deep.equal([[things], ['Meta', 'Thing']]);
    for (const bytes of write(protobufEncoding)) expect(bytes.length).to.be.above(10);
  });
});
