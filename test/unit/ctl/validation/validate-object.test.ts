import { expect } from 'chai';
import { packDefinitions, readDefinitions } from '../../../../src/client/openapi/index.ts';
import { validateObject } from '../../../../src/ctl/validation/validate-object.ts';

const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const schemas = readDefinitions(
  packDefinitions({
    definitions: {
      'a.Thing': {
        type: 'object',
        properties: { spec: ref('a.Spec'), any: {}, free: { type: 'object' } },
        'x-orch-group-version-kind': [{ group: 'a', version: 'v1', kind: 'Thing' }],
      },
      'a.Spec': {
        type: 'object',
        required: ['name', 'parts'],
        properties: {
          name: { type: 'string' },
          count: { type: 'integer', format: 'int32' },
          share: { type: 'number' },
          on: { type: 'boolean' },
          parts: { type: 'array', items: ref('a.Spec') },
          words: { type: 'array', items: { type: 'string' } },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          size: ref('a.Size'),
          lost: ref('a.Lost'),
        },
      },
      'a.Size': { type: 'string' },
    },
  }),
);
const find = (object: unknown) => validateObject(schemas, { definition: 'a.Thing', kind: 'Thing', object });
const check = (object: unknown) => find(object).flatMap(({ releaseText }) => releaseText ?? []);
const ofSpec = (spec: object) => check({ spec: { name: 'n', parts: [], ...spec } });

describe('validateObject', () => {
  it('finds nothing wrong with an object that fits', () => {
    const spec = { count: 1, share: 0.5, on: true, words: ['a'], labels: { a: 'b' }, size: '1Gi', lost: [1] };
    expect(ofSpec(spec)).to.deep.equal([]);
    expect(check({ any: [1, { a: null }], free: { a: { b: 1 } } })).to.deep.equal([]);
  });

  const wrong: Record<string, [object, ...string[]]> = {
    'unknown fields': [{ nmae: 1 }, 'ValidationError(Thing.spec): unknown field "nmae" in a.Spec'],
    'inherited names': [
      { constructor: 1, toString: 'x' },
      'ValidationError(Thing.spec): unknown field "constructor" in a.Spec',
      'ValidationError(Thing.spec): unknown field "toString" in a.Spec',
    ],
    'missing fields': [
      { name: null, parts: null },
      'ValidationError(Thing.spec): missing required field "name" in a.Spec',
      'ValidationError(Thing.spec): missing required field "parts" in a.Spec',
    ],
    'texts for integers': [
      { count: '3' },
      'ValidationError(Thing.spec.count): invalid type for a.Spec.count: got "string", expected "integer"',
    ],
    'texts for booleans': [
      { on: 'true' },
      'ValidationError(Thing.spec.on): invalid type for a.Spec.on: got "string", expected "boolean"',
    ],
    'maps for texts': [
      { labels: { a: { b: 'c' } }, size: {} },
      'ValidationError(Thing.spec.labels.a): invalid type for a.Spec.labels: got "map", expected "string"',
      'ValidationError(Thing.spec.size): invalid type for a.Size: got "map", expected "string"',
    ],
    'maps for lists': [
      { words: { a: 1 } },
      'ValidationError(Thing.spec.words): invalid type for a.Spec.words: got "map", expected "array"',
    ],
    'lists for maps': [
      { labels: ['a'], parts: [['x']] },
      'ValidationError(Thing.spec.labels): invalid type for a.Spec.labels: got "array", expected "map"',
      'ValidationError(Thing.spec.parts[0]): invalid type for a.Spec: got "array", expected "map"',
    ],
    'fields deep inside': [
      { parts: [{ name: 'a', parts: [{ name: 'b', parts: [], x: 1 }] }] },
      'ValidationError(Thing.spec.parts[0].parts[0]): unknown field "x" in a.Spec',
    ],
    'nulls in lists and maps': [
      { words: ['a', null], labels: { a: null } },
      'unknown object type "nil" in Thing.spec.labels.a',
      'ValidationError(Thing.spec.words): unknown object type "nil" in Thing.spec.words[1]',
    ],
  };
  for (const [what, [spec, ...errors]] of Object.entries(wrong)) {
    it(`names ${what}`, () => {
      expect(ofSpec(spec)).to.deep.equal(errors);
    });
  }

  it('leaves to the server what the reference client leaves to it', () => {
    expect(ofSpec({ name: 5, count: 1.5, size: 1, words: [true], on: null })).to.deep.equal([]);
  });

  it('bears objects without end', () => {
    const deep: Record<string, unknown> = { name: 'n' };
    deep.parts = [deep];
    expect(ofSpec(deep)).to.deep.equal([]);
    expect(ofSpec({ words: Array.from({ length: 5000 }, () => null) }).length).to.be.at.most(5000);
  });
});
