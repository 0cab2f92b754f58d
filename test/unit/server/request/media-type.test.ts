import { expect } from 'chai';
import { parseAccept, parseMediaType } from '../../../../src/server/request/media-type.ts';

describe('parseMediaType', () => {
  it('reads type and parameters, without regard to case', () => {
    expect(parseMediaType(' Application/JSON ; Charset=utf-8; v="v1" ;')).to.deep.equal({
      type: 'application/json',
      parameters: { charset: 'utf-8', v: 'v1' },
    });
  });

  for (const text of [
    '',
    'json',
    '/',
    'a/',
    '/b',
    'a b/c',
    'a/b/c',
    ';q=1',
    'a/b;bogus',
    'a/b;;',
    'a/b;c=d e',
  ]) {
    it(`finds no type in ${JSON.stringify(text)}`, () => {
      expect(parseMediaType(text)).to.equal(undefined);
    });
  }
});

describe('parseAccept', () => {
  const types = (header: string) => parseAccept(header).map(({ type }) => type);

  it('puts the best first, and those alike in the order given', () => {
    expect(types('a/a;q=0.5,b/b,c/c;q=0.9,d/d')).to.deep.equal(['b/b', 'd/d', 'c/c', 'a/a']);
  });

  it('puts wildcards behind what is as good', () => {
    expect(types('*/*,a/*,a/b')).to.deep.equal(['a/b', 'a/*', '*/*']);
  });

  it('puts a wildcard behind a neighbour that is not as good', () => {
    expect(types('*,a/b;q=0.5')).to.deep.equal(['a/b', '*/*']);
    expect(types('a/*;q=0.8,a/b;q=0.5')).to.deep.equal(['a/b', 'a/*']);
  });

  it('minds the case of parameters, their quotes and tabs, and leaves out those without a value', () => {
    expect(parseAccept('a/b;AS=Table;as=;g=a=b;v="v1";t=\t1')[0]?.parameters).to.deep.equal({
      AS: 'Table',
      v: '"v1"',
      t: '\t1',
    });
  });

  it('leaves out what makes no sense, and keeps what is wanted least', () => {
    expect(types('nonsense,,a/b;q=0,c/d,e/f/g')).to.deep.equal(['c/d', 'a/b']);
  });

  it('minds the case of types, and reads their parameters', () => {
    expect(parseAccept('A/b;as=Table; v=v1 ;q=0.5')).to.deep.equal([
      { type: 'A/b', parameters: { as: 'Table', v: 'v1' }, quality: 0.5 },
    ]);
  });

  const qualities: [text: string, quality: number][] = [
    ['a/b', 1],
    ['a/b;q=0', 0],
    ['a/b;q=7', 7],
    ['a/b;q=-1', -1],
    ['a/b;q=x', 0],
    ['a/b;nothing', 1],
    ['a/b;__proto__=1', 1],
  ];
  for (const [text, quality] of qualities) {
    it(`gives ${text} the quality ${quality}`, () => {
      expect(parseAccept(text)).to.deep.equal([{ type: 'a/b', parameters: {}, quality }]);
    });
  }
});
