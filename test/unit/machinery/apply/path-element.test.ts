import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../src/base/index.ts';
import {
  comparePathElements,
  sortPathElements,
} from '../../../../src/machinery/apply/fieldpath/element-order.ts';
import {
  fieldElement,
  formatPathElement,
  indexElement,
  keyElement,
  keysElement,
  PathElementError,
  parsePathElement,
  valueElement,
} from '../../../../src/machinery/apply/fieldpath/path-element.ts';

describe('parsePathElement', () => {
  const canonical: readonly (readonly [string, string | undefined])[] = [
    ['f:spec', 'f:spec'],
    ['f:', 'f:'],
    ['f:a:b', 'f:a:b'],
    ['f:example.com/x', 'f:example.com/x'],
    ['k:{"b":1,"a":2}', 'k:{"a":2,"b":1}'],
    ['k:{ "name" : "a" }', 'k:{"name":"a"}'],
    ['k:{}', 'k:{}'],
    ['v:"a"', 'v:"a"'],
    ['v:1', 'v:1'],
    ['v: true ', 'v:true'],
    ['v:null', 'v:null'],
    ['v:{"b":1,"a":[ ]}', 'v:{"a":[],"b":1}'],
    ['v:"\\u0061"', 'v:"a"'],
    ['i:0', 'i:0'],
    ['i:12', 'i:12'],
    ['i:-1', 'i:-1'],
    // Elements of kinds that do not exist yet.
    ['x:1', undefined],
    ['.:', undefined],
  ];
  for (const [text, element] of canonical) {
    it(`of ${text} is ${element}`, () => expect(parsePathElement(text)).to.equal(element));
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', 'key must be 2 characters long:'],
    ['f', 'key must be 2 characters long:'],
    ['spec', "missing colon: 'spec'"],
    ['k:', "invalid JSON in path element: ''"],
    ['k:[1]', "keys must be an object: '[1]'"],
    ['k:null', "keys must be an object: 'null'"],
    ['v:', "invalid JSON in path element: ''"],
    ['v:a', "invalid JSON in path element: 'a'"],
    ['i:', "invalid index: 'i:'"],
    ['i:01', "invalid index: 'i:01'"],
    ['i:+1', "invalid index: 'i:+1'"],
    ['i:1.5', "invalid index: 'i:1.5'"],
    ['i:1e3', "invalid index: 'i:1e3'"],
    ['i: 1', "invalid index: 'i: 1'"],
  ];
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parsePathElement(text)).to.throw(PathElementError, message);
    });
  }

  it('gives back every element that this module makes', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const element = fc.oneof(
      fc.string().map(fieldElement),
      fc.dictionary(fc.string(), json).map(keysElement),
      json.map(valueElement),
      fc.nat().map(indexElement),
    );
    fc.assert(
      fc.property(element, (text) => {
        expect(parsePathElement(text)).to.equal(text);
      }),
    );
  });
});

describe('keyElement', () => {
  it('is the element of one key', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(fc.string(), value, (name, content) => {
        fc.pre(name !== '__proto__');
        expect(keyElement(name, content)).to.equal(keysElement({ [name]: content }));
      }),
    );
  });

  it('keeps digits that no double holds', () => {
    expect(keyElement('port', rawNumber('9007199254740993'))).to.equal('k:{"port":9007199254740993}');
  });
});

describe('comparePathElements', () => {
  const ordered = [
    'f:',
    'f:A',
    'f:a',
    'f:a.b',
    'f:b',
    'f:\uffee',
    'f:\u{1f600}',
    'k:{"name":"a"}',
    'k:{"name":"a","port":2}',
    'k:{"name":"a","port":10}',
    'k:{"name":"b"}',
    'k:{"port":1}',
    'v:-1',
    'v:2',
    'v:10',
    'v:"10"',
    'v:"2"',
    'v:false',
    'v:true',
    'v:[]',
    'v:{}',
    'v:null',
    'i:-1',
    'i:2',
    'i:10',
  ];

  it('puts fields before keys, values and positions, each by content and not by text', () => {
    expect(ordered.toReversed().sort(comparePathElements)).to.deep.equal(ordered);
    expect(ordered.toSorted(comparePathElements)).to.deep.equal(ordered);
  });

  it('is an order: the same both ways round, and through a third', () => {
    const element = fc.constantFrom(...ordered);
    fc.assert(
      fc.property(element, element, element, (a, b, c) => {
        expect(Math.sign(comparePathElements(a, b))).to.equal(0 - Math.sign(comparePathElements(b, a)));
        if (comparePathElements(a, b) <= 0 && comparePathElements(b, c) <= 0) {
          expect(comparePathElements(a, c)).to.be.at.most(0);
        }
        expect(comparePathElements(a, b) === 0).to.equal(a === b);
      }),
    );
  });

  it('compares long elements, which it does not remember, as it does others', () => {
    const long = (last: string): string => valueElement(`${'x'.repeat(500)}${last}`);
    expect(comparePathElements(long('a'), long('b'))).to.be.below(0);
    expect(comparePathElements(long('b'), long('a'))).to.be.above(0);
  });
});

describe('sortPathElements', () => {
  const text = fc.oneof(
    fc.constantFrom('', 'a', 'a b', 'a!', 'aa', 'A', 'ü', '\ud7ff', '\u0000', '\u0001', 'x'.repeat(300)),
    fc.integer({ min: 0, max: 99 }).map((n) => `item-${n}`),
  );
  const number = fc.oneof(
    fc.integer({ min: -20, max: 120 }),
    fc.constantFrom(0, -0, 0.5, -0.25, 1e21, -1e21, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53),
  );
  const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
  const keys = fc.dictionary(fc.constantFrom('', 'name', 'name2', 'port'), scalar, { noNullPrototype: true });
  const anything = fc.oneof(
    scalar,
    keys,
    fc.array(scalar, { maxLength: 2 }),
    fc.constantFrom('\uffee', '\u{1f600}'),
  );
  const many = (element: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
    fc.uniqueArray(element, { maxLength: 80, size: 'max' });
  const groups = {
    fields: many(fc.oneof(text, fc.constantFrom('\uffee', '\u{1f600}')).map(fieldElement)),
    'texts of sets': many(text.map(valueElement)),
    'numbers of sets': many(number.map(valueElement)),
    'items by one key': many(text.map((name) => keyElement('name', name))),
    'items by several keys': many(keys.map(keysElement)),
    'all kinds': many(
      fc.oneof(
        text.map(fieldElement),
        anything.map(valueElement),
        keys.map(keysElement),
        fc.integer({ min: -9, max: 30 }).map(indexElement),
      ),
    ),
  };
  for (const [what, elements] of Object.entries(groups)) {
    it(`sorts few and many ${what} as they compare one with the other`, () => {
      fc.assert(
        fc.property(elements, (given) => {
          expect(sortPathElements([...given])).to.deep.equal(given.toSorted(comparePathElements));
        }),
      );
    });
  }
});

describe('formatPathElement', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['f:spec', '.spec'],
    ['f:example.com/x', '.example.com/x'],
    ['f:', '.'],
    ['k:{"name":"a"}', '[name="a"]'],
    ['k:{"containerPort":80,"protocol":"TCP"}', '[containerPort=80,protocol="TCP"]'],
    ['k:{}', '[]'],
    ['v:"a"', '[="a"]'],
    ['v:1', '[=1]'],
    ['v:9007199254740993', '[=9007199254740993]'],
    ['v:{"a":1,"b":"x"}', '[=a=1b="x"]'],
    ['k:{"name":{}}', '[name=]'],
    ['k:{"name":["a",null,true]}', '[name=["a",null,true]]'],
    ['k:{"name":"\\u0001é"}', '[name="\\x01é"]'],
    ['i:3', '[3]'],
  ];
  for (const [element, text] of rows) {
    it(`shows ${element} as ${text}`, () => expect(formatPathElement(element)).to.equal(text));
  }
});
