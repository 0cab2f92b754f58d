import { expect } from 'chai';
import { searchFields } from '../../../src/ctl/explain/print-search.ts';

type Schemas = Parameters<typeof searchFields>[0];

const definitions: Readonly<Record<string, ReturnType<Schemas['definition']>>> = {
  node: {
    properties: {
      port: { type: 'integer', description: 'A number.' },
      exports: { type: 'string' },
      next: { $ref: '#/definitions/node' },
      children: { type: 'array', items: { $ref: '#/definitions/node' } },
      labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Ports by name.' },
    },
  },
  root: {
    properties: {
      portal: { type: 'object', properties: { hostPort: { type: 'integer' } } },
      named: { type: 'object', additionalProperties: { $ref: '#/definitions/node' } },
      tree: { $ref: '#/definitions/node' },
    },
  },
};
const schemas: Schemas = { nameOf: () => undefined, definition: (name) => definitions[name] };
const search = (word: string) =>
  searchFields(schemas, [{ name: 'things', schema: { $ref: '#/definitions/root' } }], word).map(
    ({ path }) => path,
  );

describe('searchFields', () => {
  it('puts names that are the word first, then those that begin with it or hold it, then descriptions', () => {
    expect(search('PORT')).to.deep.equal([
      'things.named.port',
      'things.portal',
      'things.portal.hostPort',
      'things.named.exports',
      'things.named.labels',
    ]);
  });

  it('finds a field of a type once, by the shortest way, also where types hold themselves', () => {
    expect(search('next')).to.deep.equal(['things.named.next']);
    expect(search('nothing')).to.deep.equal([]);
  });
});
