import { expect } from 'chai';
import fc from 'fast-check';
import { BodySyntaxError, listYamlKeys } from '../../../../src/machinery/codec/index.ts';

const list = (text: string) =>
  listYamlKeys(Buffer.from(text)).map(
    ({ path, line, isRepeated }) => `${line} ${path.join('.')}${isRepeated ? ' again' : ''}`,
  );

describe('listYamlKeys', () => {
  it('gives keys with their lines, and those that stand twice in one mapping', () => {
    expect(
      list('a: 1\nb: {c: x, "d": [1, {q: 1}]}\na: 2\nl:\n- x: 1\n  y: 2\n- x: 3\nb2: 1\n'),
    ).to.deep.equal([
      '1 a',
      '2 b',
      '2 b.c',
      '2 b.d',
      '2 b.d.[].q',
      '3 a again',
      '4 l',
      '5 l.[].x',
      '6 l.[].y',
      '7 l.[].x',
      '8 b2',
    ]);
  });

  it('goes past keys that are lists or maps, and past anchors', () => {
    expect(list('? [a, b]\n: 1\nc: &x {d: 1}\ne: *x\nf: 1\n')).to.deep.equal([
      '1 ',
      '3 c',
      '3 c.d',
      '4 e',
      '5 f',
    ]);
  });

  it('ends with the first document', () => {
    expect(list('a: 1\n---\nb: 1\n')).to.deep.equal(['1 a']);
    expect(list('')).to.deep.equal([]);
    expect(list('text')).to.deep.equal([]);
  });

  it('finds every member of what JSON writes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { maxKeys: 5 }), (map) => {
        const paths = listYamlKeys(Buffer.from(JSON.stringify(map))).map(({ path }) => path[0]);
        expect(paths).to.deep.equal(Object.keys(map));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses what is not YAML', () => {
    expect(() => list('a: [')).to.throw(BodySyntaxError, /^yaml: /);
  });
});
