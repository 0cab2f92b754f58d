import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/index.ts';
import {
  applyMergePatch,
  createMergePatch,
  createThreeWayMergePatch,
  PatchError,
  parseMergePatch,
} from '../../../../src/machinery/patch/index.ts';

const scalar = fc.oneof(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 3 }), fc.boolean());
const { document } = fc.letrec<{ document: JsonObject; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 2 }), tie('document')),
  document: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'toString'), tie('value'), {
    maxKeys: 4,
  }),
}));
/** Text with sorted members: `__proto__` counts too, which deep comparison of objects overlooks. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))
      : member,
  );

describe('applyMergePatch', () => {
  it('sorts the members of what the patch has, and only these', () => {
    const document = { kind: 'A', a: { z: 1, b: { y: 1, x: 1 } }, c: { y: 1, x: 1 } };
    const patch = JSON.parse('{"a":{"n":{"r":1,"q":[{"f":1,"e":1}]}},"__proto__":{"k":1,"j":1}}');
    expect(JSON.stringify(applyMergePatch(document, patch))).to.equal(
      '{"__proto__":{"j":1,"k":1},"a":{"b":{"y":1,"x":1},"n":{"q":[{"e":1,"f":1}],"r":1},"z":1},"c":{"y":1,"x":1},"kind":"A"}',
    );
  });

  const rfcExamples: [unknown, unknown, unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, wanted] of rfcExamples) {
    it(`RFC 7396: ${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      expect(applyMergePatch(target, patch)).to.deep.equal(wanted);
    });
  }

  const nulls: [title: string, target: unknown, patch: unknown, wanted: unknown][] = [
    ['of a new list', {}, { a: [null, 1] }, { a: [1] }],
    ['of a list that replaces one', { a: [1] }, { a: [null] }, { a: [] }],
    ['of objects and lists in lists', { a: 1 }, { a: [{ b: null, c: 1 }, [null]] }, { a: [{ c: 1 }, []] }],
    [
      'but of no list that replaces an object',
      { a: { b: 1 } },
      { a: [null, { c: null }] },
      { a: [null, { c: null }] },
    ],
  ];
  for (const [title, target, patch, wanted] of nulls) {
    it(`drops nulls ${title}`, () => {
      expect(applyMergePatch(target, patch)).to.deep.equal(wanted);
    });
  }

  it('gives the same when applied twice, and changes neither argument', () => {
    fc.assert(
      fc.property(document, document, (target, patch) => {
        const before = canonical([target, patch]);
        const once = applyMergePatch(target, patch);
        expect(canonical(applyMergePatch(once, patch))).to.equal(canonical(once));
        expect(canonical([target, patch])).to.equal(before);
      }),
    );
  });

  it('does not reach prototypes', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1}}'));
    expect(JSON.stringify(result)).to.equal('{"__proto__":{"polluted":1}}');
    expect(({} as JsonObject).polluted).to.equal(undefined);
  });

  it('refuses a patch that nests too deep instead of overflowing the stack', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    expect(() => applyMergePatch({}, deep)).to.throw(PatchError, 'exceeded max depth');
  });
});

describe('parseMergePatch', () => {
  for (const body of [null, 1, 'x', [{}]]) {
    it(`refuses ${JSON.stringify(body)}`, () => {
      expect(() => parseMergePatch(body)).to.throw(PatchError, 'Invalid JSON Patch');
    });
  }
});

describe('createMergePatch', () => {
  it('turns any document into any other', () => {
    fc.assert(
      fc.property(document, document, (from, to) => {
        expect(canonical(applyMergePatch(from, createMergePatch(from, to)))).to.equal(canonical(to));
      }),
    );
  });

  it('is empty for equal documents', () => {
    fc.assert(
      fc.property(
        document,
        (value) => void expect(createMergePatch(value, structuredClone(value))).to.deep.equal({}),
      ),
    );
  });

  it('says only what differs', () => {
    const from = { a: 1, b: { c: 1, d: [1] }, e: 'x' };
    expect(createMergePatch(from, { a: 1, b: { c: 2, d: [1] } })).to.deep.equal({ b: { c: 2 }, e: null });
  });
});

describe('createThreeWayMergePatch', () => {
  const original = { spec: { a: 1, b: 2, keep: 'x' } };
  const cases: [string, JsonObject, JsonObject, JsonObject][] = [
    ['leaves alone what others added', original, { spec: { a: 1, b: 2, keep: 'x', other: 1 } }, {}],
    ['removes what the caller dropped', { spec: { a: 1 } }, original, { spec: { b: null, keep: null } }],
    ['restores what others changed', original, { spec: { a: 7, b: 2, keep: 'x' } }, { spec: { a: 1 } }],
    ['sets what is new', { ...original, data: { x: { y: 1 } } }, original, { data: { x: { y: 1 } } }],
    [
      'removes what the caller wants to be null, though others set it',
      { spec: { ...original.spec, theirs: null, deep: { theirs: null } } },
      { spec: { ...original.spec, theirs: 1, deep: { theirs: 2, kept: 3 } } },
      { spec: { theirs: null, deep: { theirs: null } } },
    ],
    [
      'sets lists without the nulls of their items',
      { ...original, list: [{ a: 1, b: null, c: [{ d: null }] }] },
      original,
      { list: [{ a: 1, c: [{}] }] },
    ],
  ];
  for (const [title, modified, current, wanted] of cases) {
    it(title, () => expect(createThreeWayMergePatch({ original, modified, current })).to.deep.equal(wanted));
  }

  it('makes everything that the caller says true, and nothing that the caller dropped remain', () => {
    fc.assert(
      fc.property(document, document, document, (first, modified, current) => {
        const patch = createThreeWayMergePatch({ original: first, modified, current });
        const result = applyMergePatch(current, patch) as JsonObject;
        expect(canonical(applyMergePatch(result, createMergePatch({}, modified)))).to.equal(
          canonical(result),
        );
        for (const key of Object.keys(first)) {
          if (!Object.hasOwn(modified, key)) expect(Object.hasOwn(result, key)).to.equal(false);
        }
      }),
    );
  });
});
