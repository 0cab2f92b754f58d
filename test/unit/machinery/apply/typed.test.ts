import { expect } from 'chai';
import fc from 'fast-check';
import {
  equalFieldSets,
  fieldSetOf,
  isEmptyFieldSet,
} from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { differenceOf, intersectionOf } from '../../../../src/machinery/apply/fieldpath/set-algebra.ts';
import { compareTyped, isSame } from '../../../../src/machinery/apply/typed/compare.ts';
import { compileCustomApplySchema } from '../../../../src/machinery/apply/typed/custom-views.ts';
import { mergeTyped } from '../../../../src/machinery/apply/typed/merge-typed.ts';
import { ensureNamedFieldsAreMembers } from '../../../../src/machinery/apply/typed/named-fields.ts';
import { extractItems, removeItems } from '../../../../src/machinery/apply/typed/select-items.ts';
import { toFieldSet } from '../../../../src/machinery/apply/typed/to-field-set.ts';
import { validateTyped } from '../../../../src/machinery/apply/typed/validate.ts';
import { granularView } from '../../../../src/machinery/apply/typed/view.ts';

type Json = Record<string, unknown>;
interface Case {
  readonly schema: Json;
  readonly value: fc.Arbitrary<unknown>;
}

const scalar: Case = { schema: { type: 'integer' }, value: fc.constantFrom(1, 2, 3) };
const names = ['p', 'q', 'r'];

/** A schema of limited depth together with values that fit it. */
function caseOf(depth: number): fc.Arbitrary<Case> {
  if (depth === 0) return fc.constant(scalar);
  const inner = caseOf(depth - 1);
  const struct = fc.tuple(inner, inner, inner).map((parts): Case => {
    const properties = Object.fromEntries(parts.map(({ schema }, index) => [names[index], schema]));
    const values = Object.fromEntries(parts.map(({ value }, index) => [names[index], value]));
    return { schema: { type: 'object', properties }, value: fc.record(values, { requiredKeys: [] }) };
  });
  const map = inner.map(
    ({ schema, value }): Case => ({
      schema: { type: 'object', additionalProperties: schema },
      value: fc.dictionary(fc.constantFrom('__proto__', ...names), value, { maxKeys: 3 }),
    }),
  );
  const keyed = inner.map(
    ({ schema, value }): Case => ({
      schema: {
        type: 'array',
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, v: schema } },
      },
      value: fc.uniqueArray(fc.record({ k: fc.constantFrom(...names), v: value }, { requiredKeys: ['k'] }), {
        selector: (item) => item.k,
        maxLength: 3,
      }),
    }),
  );
  const set: Case = {
    schema: { type: 'array', 'x-orch-list-type': 'set', items: { type: 'integer' } },
    value: fc.uniqueArray(fc.constantFrom(1, 2, 3)),
  };
  const atomic = inner.map(
    ({ schema, value }): Case => ({
      schema: { type: 'array', items: schema },
      value: fc.array(value, { maxLength: 2 }),
    }),
  );
  return fc.oneof(struct, map, keyed, fc.constant(set), atomic);
}

const compile = (schema: Json) =>
  compileCustomApplySchema({
    schema: { type: 'object', properties: { top: schema } },
    extensionPrefix: 'x-orch-',
    metadata: granularView,
    apiVersion: 'v1',
    kind: 'Thing',
  }).root;

const pair = caseOf(3).chain(({ schema, value }) =>
  fc.record({
    schema: fc.constant(schema),
    left: value.map((top) => ({ top })),
    right: value.map((top) => ({ top })),
  }),
);

describe('typed values of random schemas', () => {
  it('merge to what the configuration names, and once is enough', () => {
    fc.assert(
      fc.property(pair, ({ schema, left, right }) => {
        const view = compile(schema);
        validateTyped(view, left);
        const merged = mergeTyped(view, left, right);
        validateTyped(view, merged);
        const named = toFieldSet(view, right);
        expect(isEmptyFieldSet(differenceOf(named, toFieldSet(view, merged)))).to.equal(true);
        expect(isEmptyFieldSet(compareTyped(view, left, merged).removed)).to.equal(true);
        const { modified } = compareTyped(view, merged, right);
        expect(isEmptyFieldSet(intersectionOf(named, modified))).to.equal(true);
        expect(isSame(compareTyped(view, merged, mergeTyped(view, merged, right)))).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it('compare the same both ways round', () => {
    fc.assert(
      fc.property(pair, ({ schema, left, right }) => {
        const view = compile(schema);
        const there = compareTyped(view, left, right);
        const back = compareTyped(view, right, left);
        expect(equalFieldSets(there.added, back.removed)).to.equal(true);
        expect(equalFieldSets(there.modified, back.modified)).to.equal(true);
        expect(isSame(compareTyped(view, left, structuredClone(left)))).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });

  it('lose what is removed and keep what is extracted', () => {
    fc.assert(
      fc.property(pair, ({ schema, left, right }) => {
        const view = compile(schema);
        const items = toFieldSet(view, right);
        const rest = toFieldSet(view, removeItems(view, left, items));
        expect(isEmptyFieldSet(intersectionOf(rest, items))).to.equal(true);
        const shared = intersectionOf(toFieldSet(view, left), items);
        const extracted = toFieldSet(view, extractItems(view, left, items));
        expect(isEmptyFieldSet(differenceOf(shared, extracted))).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('ensureNamedFieldsAreMembers', () => {
  it('names declared fields on the way, not keys of maps', () => {
    const inner = { type: 'object', properties: { a: { type: 'integer' } } };
    const view = compile({ type: 'object', additionalProperties: inner });
    const actual = ensureNamedFieldsAreMembers(view, fieldSetOf(['f:top', 'f:x', 'f:a']));
    expect(equalFieldSets(actual, fieldSetOf(['f:top'], ['f:top', 'f:x', 'f:a']))).to.equal(true);
  });
});
