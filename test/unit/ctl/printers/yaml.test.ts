import { expect } from 'chai';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { compareNaturally, formatYaml } from '../../../../src/ctl/printers/yaml.ts';

const long =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore';

describe('formatYaml', () => {
  // Each text as the reference client prints it.
  const scalars: readonly (readonly [unknown, string])[] = [
    ['plain', 'plain'],
    ['', '""'],
    ['12', '"12"'],
    ['017', '"017"'],
    ['1.5e3', '"1.5e3"'],
    ['true', '"true"'],
    ['n', '"n"'],
    ['~', '"~"'],
    ['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00Z"'],
    ['1:20', '"1:20"'],
    ['10.0.0.1', '10.0.0.1'],
    ['v1.2', 'v1.2'],
    ['a: b', "'a: b'"],
    ['a:b', 'a:b'],
    ['a #b', "'a #b'"],
    ["it's", "it's"],
    ['- x', "'- x'"],
    ['-x', '-x'],
    ['*a', "'*a'"],
    ['x ', "'x '"],
    ['a\tb', '"a\\tb"'],
    ['x😀y', '"x\\U0001F600y"'],
    ['häß', 'häß'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['\u001b[1m', '"\\e[1m"'],
    ['a\nb\n', '|\n  a\n  b'],
    ['a\nb', '|-\n  a\n  b'],
    [' a\nb', '|2-\n   a\n  b'],
    ['a \nb', '"a \\nb"'],
    [long, long.replace('tempor ', 'tempor\n  ')],
    [5, '5'],
    [1.5, '1.5'],
    [1234567.5, '1.2345675e+06'],
    [true, 'true'],
    [null, 'null'],
    [[], '[]'],
    [{}, '{}'],
  ];
  for (const [value, text] of scalars) {
    it(`writes ${JSON.stringify(value).slice(0, 40)} as the reference does`, () => {
      expect(formatYaml({ k: value })).to.equal(`k: ${text}\n`);
    });
  }

  it('keeps line feeds at the end', () => {
    expect(formatYaml({ a: 'x\n\n', b: 1 })).to.equal('a: |+\n  x\n\nb: 1\n');
  });

  it('puts lists at the column of their key and nests without gaps', () => {
    expect(formatYaml({ l: [{ b: [1, [2, 3]], a: { c: [] } }, 'x'] })).to.equal(
      'l:\n- a:\n    c: []\n  b:\n  - 1\n  - - 2\n    - 3\n- x\n',
    );
  });

  it('can be read back, whatever the texts', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('node'), { maxLength: 4 }),
      map: fc.dictionary(fc.string({ maxLength: 8 }), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    })).map;
    fc.assert(
      fc.property(value, (map) => {
        expect(load(formatYaml(map))).to.deep.equal(map);
      }),
      { numRuns: 300 },
    );
  });
});

describe('compareNaturally', () => {
  it('orders numbers by value and puts letters last', () => {
    const keys = ['b', 'a10', 'a2', '_x', '1', 'A', 'a1'];
    expect(keys.sort(compareNaturally)).to.deep.equal(['_x', '1', 'A', 'a1', 'a2', 'a10', 'b']);
  });
});
