import { expect } from 'chai';
import { CacheTime, decideAnnotation } from '../../../../src/controllers/node-ttl/decide.ts';

describe('how long agents may cache', () => {
  it('grows and shrinks with the cluster, at different sizes', () => {
    const time = new CacheTime();
    const sizes = [
      0, 100, 101, 95, 90, 89, 100, 500, 501, 449, 5000, 10000, 10001, 9000, 8999, 1800, 1799, 0,
    ];
    const seconds = sizes.map((nodes) => time.secondsFor(nodes));
    expect(seconds).to.deep.equal([0, 0, 15, 15, 15, 0, 0, 15, 30, 15, 300, 300, 600, 600, 300, 300, 60, 0]);
  });

  it('is written where it is not there, or is another', () => {
    const node = (annotations?: Record<string, string>) => ({
      metadata: { ...(annotations && { annotations }) },
    });
    expect(decideAnnotation(node(), 'ttl', 0)).to.equal('0');
    expect(decideAnnotation(node({ ttl: '15' }), 'ttl', 0)).to.equal('0');
    expect(decideAnnotation(node({ ttl: '0' }), 'ttl', 0)).to.equal(undefined);
  });
});
