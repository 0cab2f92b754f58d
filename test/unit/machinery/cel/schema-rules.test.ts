import { expect } from 'chai';
import type { Steps } from '../../../../src/base/index.ts';
import { compileRulesOf, readSchemaRules } from '../../../../src/machinery/cel/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const rulesOf = (...rules: string[]) => ({ 'x-orch-validations': rules.map((rule) => ({ rule })) });

function countSteps(steps: Steps<unknown> | undefined): number {
  let count = 0;
  while (steps !== undefined && steps.next().done !== true) count++;
  return count;
}

const schema = {
  type: 'object',
  ...rulesOf('self.a > 1', 'self.b.size() > 0'),
  properties: {
    a: { type: 'integer', ...rulesOf('self > 0') },
    b: { type: 'array', maxItems: 9, items: { type: 'integer', ...rulesOf('self < 9') } },
  },
};

describe('compileRulesOf', () => {
  it('compiles one rule in each step', () => {
    expect(countSteps(compileRulesOf(schema, orchDialect))).to.equal(4);
  });

  const without: readonly (readonly [name: string, schema: Record<string, unknown>])[] = [
    ['without rules', { type: 'object', properties: { a: { type: 'integer' } } }],
    [
      'with too many letters',
      { type: 'object', ...rulesOf(...Array.from({ length: 40 }, () => 'a'.repeat(2000))) },
    ],
    ['that is nested deeply', deep(5000)],
  ];
  for (const [name, given] of without) {
    it(`has nothing to compile of a schema ${name}`, () =>
      expect(compileRulesOf(given, orchDialect)).to.equal(undefined));
  }

  function deep(levels: number): Record<string, unknown> {
    let node: Record<string, unknown> = { type: 'string', ...rulesOf('self != ""') };
    for (let level = 0; level < levels; level++) node = { type: 'array', items: node };
    return node;
  }
});

describe('readSchemaRules', () => {
  it('is undefined of a schema without rules', () => {
    expect(readSchemaRules({ type: 'object' }, orchDialect)).to.equal(undefined);
  });

  it('compiles the rules once, one in each step', () => {
    const rules = readSchemaRules(structuredClone(schema), orchDialect);
    expect(countSteps(rules?.compile())).to.equal(4);
    expect(rules?.compile()).to.equal(undefined);
  });

  it('lets others go first while it runs the rules of large objects', () => {
    const items = Array.from({ length: 3000 }, (_, at) => ({ list: Array.from({ length: 10 }, () => at) }));
    const large = {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { list: { type: 'array', items: { type: 'integer' } } },
            ...rulesOf('self.list.all(x, x >= 0)'),
          },
        },
      },
    };
    const rules = readSchemaRules(large, orchDialect);
    const steps = rules?.validate({ items }, undefined, () => {});
    expect(countSteps(rules?.compile())).to.equal(1);
    expect(countSteps(steps)).to.be.greaterThan(3);
  });
});
