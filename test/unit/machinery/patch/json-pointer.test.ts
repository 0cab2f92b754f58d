import { expect } from 'chai';
import fc from 'fast-check';
import { formatJsonPointer, parseJsonPointer } from '../../../../src/machinery/patch/index.ts';

describe('parseJsonPointer', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['/a', ['a']],
    ['/', ['']],
    ['/a/b/0', ['a', 'b', '0']],
    ['/a//b/', ['a', '', 'b', '']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    // `~01` is `~1`, not `/`.
    ['/~01', ['~1']],
    ['/~10', ['/0']],
    ['/~', ['~']],
    ['/~2', ['~2']],
    ['/a b', ['a b']],
    ['/é', ['é']],
    ['/-', ['-']],
    // What stands before the first slash is not looked at.
    ['x/a', ['a']],
  ];
  for (const [text, names] of rows) {
    it(`of ${text} is ${JSON.stringify(names)}`, () => expect(parseJsonPointer(text)).to.deep.equal(names));
  }

  for (const text of ['', 'a', '~1']) {
    it(`of ${JSON.stringify(text)} names nothing: it is the whole document`, () => {
      expect(parseJsonPointer(text)).to.deep.equal([]);
    });
  }

  it('takes apart what formatJsonPointer joins', () => {
    const name = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a') }));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        expect(parseJsonPointer(formatJsonPointer(names))).to.deep.equal(names);
      }),
    );
  });
});

describe('formatJsonPointer', () => {
  it('is empty for the whole document', () => expect(formatJsonPointer([])).to.equal(''));
});
