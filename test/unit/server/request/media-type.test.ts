import { expect } from 'chai';
import { parseAccept, parseMediaType } from '../../../../src/server/request/media-type.ts';

describe('parseMediaType', () => {
  it('reads type, parameters and quality', () => {
    expect(parseMediaType(' Application/JSON ; As=Table;v="v1" ;q=0.5')).to.deep.equal({
      type: 'application/json',
      parameters: { as: 'Table', v: 'v1' },
      quality: 0.5,
    });
  });

  for (const text of ['', 'json', '/', 'a/', '/b', 'a b/c', 'a/b/c', ';q=1']) {
    it(`finds no type in ${JSON.stringify(text)}`, () => {
      expect(parseMediaType(text)).to.equal(undefined);
    });
  }

  const qualities: [text: string, quality: number][] = [
    ['a/b', 1],
    ['a/b;q=0', 0],
    ['a/b;q=7', 1],
    ['a/b;q=-1', 0],
    ['a/b;q=x', 1],
    ['a/b;nothing', 1],
  ];
  for (const [text, quality] of qualities) {
    it(`gives ${text} the quality ${quality}`, () => {
      expect(parseMediaType(text)?.quality).to.equal(quality);
    });
  }
});

describe('parseAccept', () => {
  const types = (header: string) => parseAccept(header).map(({ type }) => type);

  it('puts the best first, and those alike in the order given', () => {
    expect(types('a/a;q=0.5,b/b,c/c;q=0.9,d/d')).to.deep.equal(['b/b', 'd/d', 'c/c', 'a/a']);
  });

  it('leaves out what makes no sense and what is refused', () => {
    expect(types('nonsense,,a/b;q=0,c/d')).to.deep.equal(['c/d']);
  });
});
