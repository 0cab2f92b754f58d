import { expect } from 'chai';
import { ExpiringCache } from '../../../src/base/index.ts';

describe('ExpiringCache', () => {
  let nowMs = 0;
  let cache: ExpiringCache<number>;
  beforeEach(() => {
    nowMs = 0;
    cache = new ExpiringCache({ maxEntries: 2, nowMs: () => nowMs });
  });

  it('gives each value for its own time', () => {
    cache.set('a', 1, 100);
    cache.set('b', 2, 200);
    nowMs = 99;
    expect([cache.get('a'), cache.get('b')]).to.deep.equal([1, 2]);
    nowMs = 100;
    expect([cache.get('a'), cache.get('b')]).to.deep.equal([undefined, 2]);
    nowMs = 200;
    expect(cache.get('b')).to.equal(undefined);
  });

  it('counts the time from the last time a value was put there, not from when it was asked for', () => {
    cache.set('a', 1, 100);
    nowMs = 90;
    expect(cache.get('a')).to.equal(1);
    cache.set('a', 2, 100);
    nowMs = 189;
    expect(cache.get('a')).to.equal(2);
    nowMs = 190;
    expect(cache.get('a')).to.equal(undefined);
  });

  it('keeps nothing for no time, not even what was there', () => {
    cache.set('a', 1, 100);
    cache.set('a', 2, 0);
    expect(cache.get('a')).to.equal(undefined);
  });

  it('lets go what was asked for longest ago', () => {
    cache.set('a', 1, 100);
    cache.set('b', 2, 100);
    cache.get('a');
    cache.set('c', 3, 100);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).to.deep.equal([1, undefined, 3]);
  });
});
