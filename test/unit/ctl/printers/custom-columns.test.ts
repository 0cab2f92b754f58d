import { expect } from 'chai';
import { OutputError } from '../../../../src/ctl/errors.ts';
import {
  createCustomColumnsPrinter,
  parseCustomColumns,
} from '../../../../src/ctl/printers/custom-columns.ts';
import { cpuMsOf } from '../../../support/cpu-time.ts';

const printAll = (spec: string, objects: readonly unknown[]): string =>
  createCustomColumnsPrinter(parseCustomColumns(spec), { hasHeaders: true }).print(objects);
const print = (spec: string, ...objects: unknown[]): string => printAll(spec, objects);

describe('createCustomColumnsPrinter', () => {
  const cells: readonly (readonly [value: unknown, text: string])[] = [
    [1000000.5, '1.0000005e+06'],
    [2 ** 53, '9007199254740992'],
    [0.00001, '1e-05'],
    [null, '<nil>'],
    [{ b: [1, null], a: true }, 'map[a:true b:[1 <nil>]]'],
    ['\u001b[1m', '^[[1m'],
  ];
  for (const [value, text] of cells) {
    it(`shows ${JSON.stringify(value)} as Go does`, () => {
      expect(print('X:.x', { x: value })).to.equal(`X\n${text}\n`);
    });
  }

  it('keeps the lines of a value, which start columns anew that never get narrower', () => {
    const objects = [
      { a: 'first', b: 'x' },
      { a: 'p\nq', b: 'rest' },
      { a: 'long enough', b: 'y' },
      { a: 'z', b: 'z' },
    ];
    expect(print('A:.a,B:.b', ...objects)).to.equal(
      'A       B\nfirst   x\np\nq             rest\nlong enough   y\nz             z\n',
    );
  });

  it('takes little time for a value of many tabs and many lines', () => {
    const value = '\t'.repeat(60_000) + '\n'.repeat(60_000);
    expect(cpuMsOf(() => print('X:.x', { x: value }))).to.be.below(1000);
  });
  it('lays out as many objects as there are', () => {
    const objects = Array.from({ length: 200_000 }, (_, a) => ({ a }));
    expect(printAll('A:.a,B:.b', objects).split('\n').at(-2)).to.equal('199999   <none>');
  });

  it('prints what came before an object that a path does not fit', () => {
    let failure: unknown;
    try {
      print('X:.x[0]', { x: ['a'] }, { x: [] });
    } catch (error) {
      failure = error;
    }
    expect(failure).to.be.instanceOf(OutputError);
    expect(failure).to.include({ output: 'X\na\n', message: 'array index out of bounds: index 0, length 0' });
  });
});
