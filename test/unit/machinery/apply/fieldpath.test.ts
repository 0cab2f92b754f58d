import { expect } from 'chai';
import fc from 'fast-check';
import {
  emptyFieldSet,
  equalFieldSets,
  type FieldSet,
  fieldSetOf,
  fieldSetSize,
  hasPath,
  isEmptyFieldSet,
} from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import {
  FieldsV1Error,
  parseFieldsV1,
  serializeFieldSet,
} from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import {
  type FieldPathElements,
  fieldElement,
  formatPath,
  indexElement,
  keysElement,
  PathElementError,
  valueElement,
} from '../../../../src/machinery/apply/fieldpath/path-element.ts';
import {
  differenceOf,
  intersectionOf,
  leavesOf,
  recursiveDifferenceOf,
  unionOf,
  unionOfAll,
} from '../../../../src/machinery/apply/fieldpath/set-algebra.ts';

const element = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', '').map(fieldElement),
  fc.record({ name: fc.constantFrom('x', 'y'), port: fc.constantFrom(1, 2) }).map(keysElement),
  fc.constantFrom<unknown>('v', 3, true, null).map(valueElement),
  fc.constantFrom(0, 1).map(indexElement),
);
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 8 });

const keyOf = (steps: FieldPathElements): string => JSON.stringify(steps);
function listed(set: FieldSet): string[] {
  const all: string[] = [];
  const visit = ({ members, children }: FieldSet, prefix: FieldPathElements): void => {
    for (const member of members) all.push(keyOf([...prefix, member]));
    for (const [element, child] of children) visit(child, [...prefix, element]);
  };
  visit(set, []);
  return all.sort();
}
const unique = (list: readonly FieldPathElements[]): Set<string> => new Set(list.map(keyOf));

describe('FieldSet', () => {
  it('obeys the laws of sets', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const a = fieldSetOf(...left);
        const b = fieldSetOf(...right);
        const [inA, inB] = [unique(left), unique(right)];
        expect(listed(unionOf(a, b))).to.deep.equal([...new Set([...inA, ...inB])].sort());
        expect(listed(intersectionOf(a, b))).to.deep.equal([...inA].filter((key) => inB.has(key)).sort());
        expect(listed(differenceOf(a, b))).to.deep.equal([...inA].filter((key) => !inB.has(key)).sort());
        expect(fieldSetSize(a)).to.equal(inA.size);
        expect(isEmptyFieldSet(differenceOf(a, a))).to.equal(true);
        expect(equalFieldSets(unionOf(a, b), unionOf(b, a))).to.equal(true);
        expect(equalFieldSets(a, b)).to.equal([...inA].sort().join() === [...inB].sort().join());
        for (const steps of right) expect(hasPath(a, steps)).to.equal(inA.has(keyOf(steps)));
        expect(listed(a)).to.deep.equal([...inA].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('is its own union with a part of it', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const all = fieldSetOf(...left, ...right);
        const part = fieldSetOf(...right);
        expect(unionOf(all, part)).to.equal(all);
      }),
    );
  });

  it('puts any number of sets together as if one by one', () => {
    fc.assert(
      fc.property(fc.array(paths, { maxLength: 9 }), (lists) => {
        const sets = lists.map((list) => fieldSetOf(...list));
        const before = sets.map(listed);
        expect(listed(unionOfAll(sets))).to.deep.equal(listed(sets.reduce(unionOf, emptyFieldSet)));
        expect(sets.map(listed)).to.deep.equal(before);
      }),
    );
  });

  it('takes what is below a path away in a recursive difference', () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const gone = unique(right);
        const rest = left.filter(
          (steps) => !steps.some((_, end) => gone.has(keyOf(steps.slice(0, end + 1)))),
        );
        const actual = recursiveDifferenceOf(fieldSetOf(...left), fieldSetOf(...right));
        expect(listed(actual)).to.deep.equal([...unique(rest)].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('keeps members with something below out of the leaves', () => {
    const set = fieldSetOf(['f:a'], ['f:a', 'f:b'], ['f:c']);
    expect(listed(leavesOf(set))).to.deep.equal([keyOf(['f:a', 'f:b']), keyOf(['f:c'])]);
  });

  it('has no empty path', () => {
    expect(fieldSetOf([])).to.equal(emptyFieldSet);
    expect(hasPath(fieldSetOf(['f:a']), [])).to.equal(false);
  });
});

describe('serializeFieldSet', () => {
  it('comes back from its own text', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = fieldSetOf(...list);
        const text = JSON.stringify(serializeFieldSet(set));
        const back = parseFieldsV1(JSON.parse(text));
        expect(equalFieldSets(back, set)).to.equal(true);
        expect(JSON.stringify(serializeFieldSet(back))).to.equal(text);
      }),
      { numRuns: 300 },
    );
  });

  it('writes the order and the self marks of the reference', () => {
    const set = fieldSetOf(
      ['f:spec', 'f:ports', keysElement({ protocol: 'TCP', port: 443 }), 'f:port'],
      ['f:spec', 'f:ports', keysElement({ port: 80, protocol: 'TCP' })],
      ['f:spec', 'f:ports', keysElement({ port: 80, protocol: 'TCP' }), 'f:name'],
      ['f:metadata', 'f:finalizers', valueElement('b')],
      ['f:metadata', 'f:finalizers', valueElement('a')],
      ['f:metadata', 'f:labels'],
      ['f:metadata', 'f:labels', 'f:x'],
      ['f:data'],
    );
    expect(JSON.stringify(serializeFieldSet(set))).to.equal(
      '{"f:data":{},"f:metadata":{"f:finalizers":{"v:\\"a\\"":{},"v:\\"b\\"":{}},"f:labels":{".":{},"f:x":{}}},' +
        '"f:spec":{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{}},' +
        '"k:{\\"port\\":443,\\"protocol\\":\\"TCP\\"}":{"f:port":{}}}}}',
    );
  });
});

describe('parseFieldsV1', () => {
  it('takes two spellings of an element for one', () => {
    const set = parseFieldsV1({ 'k:{"b":1,"a":2}': { 'f:x': {} }, 'k:{"a":2, "b":1}': { 'f:y': {} } });
    expect(serializeFieldSet(set)).to.deep.equal({ 'k:{"a":2,"b":1}': { 'f:x': {}, 'f:y': {} } });
  });

  it('drops elements of kinds that it does not know', () => {
    expect(parseFieldsV1({ 'q:zz': { 'f:a': {} } })).to.equal(emptyFieldSet);
    expect(serializeFieldSet(parseFieldsV1({ 'f:a': { 'q:zz': {} } }))).to.deep.equal({});
  });

  const broken: [string, unknown][] = [
    ['a list', []],
    ['a scalar below', { 'f:a': 1 }],
    ['an element without a colon', { abc: {} }],
    ['a one-letter element', { f: {} }],
    ['keys that are no object', { 'k:[1]': {} }],
    ['broken JSON', { 'v:{': {} }],
    ['an odd index', { 'i:01': {} }],
  ];
  for (const [what, form] of broken) {
    it(`refuses ${what}`, () => {
      expect(() => parseFieldsV1(form))
        .to.throw(Error)
        .with.property('name')
        .that.match(/^(PathElementError|FieldsV1Error)$/);
    });
  }

  it('refuses what is too deep or too large', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 5000; level++) deep = { 'f:a': deep };
    expect(() => parseFieldsV1(deep)).to.throw(FieldsV1Error, 'levels');
    const wide: Record<string, unknown> = {};
    for (let index = 0; index <= 100_000; index++) wide[`f:${index}`] = {};
    expect(() => parseFieldsV1(wide)).to.throw(FieldsV1Error, 'path elements');
  });

  it('survives any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (form) => {
        try {
          parseFieldsV1(form);
        } catch (error) {
          if (!(error instanceof FieldsV1Error) && !(error instanceof PathElementError)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('formatPath', () => {
  it('shows paths as the messages of the reference do', () => {
    expect(formatPath(['f:spec', 'f:two', keysElement({ protocol: 'TCP', port: 80 }), 'f:note'])).to.equal(
      '.spec.two[port=80,protocol="TCP"].note',
    );
    expect(formatPath(['f:set', valueElement('a')])).to.equal('.set[="a"]');
    expect(formatPath(['f:list', indexElement(2)])).to.equal('.list[2]');
  });
});
