import { expect } from 'chai';
import { create, withChange } from '../write-bench.ts';
import { flowSchemaWrites } from './flow-schema-writes.ts';

const [{ body }] = flowSchemaWrites as [(typeof flowSchemaWrites)[number]]; // the table has one schema
const precedence = (value: number) =>
  create(withChange(body, { '/spec/matchingPrecedence': value })).errors.filter((text) =>
    text.startsWith('spec.matchingPrecedence'),
  );

describe('kindRules of flow schemas: precedence', () => {
  for (const value of [2, 10_000]) it(`may be ${value}`, () => expect(precedence(value)).to.deep.equal([]));
  for (const value of [-1, 1, 10_001])
    it(`must not be ${value}`, () => expect(precedence(value)).to.have.lengthOf(1));
});
