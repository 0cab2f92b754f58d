import { expect } from 'chai';
import { Expectations } from '../../../../src/controllers/workloads/expectations.ts';

describe('Expectations', () => {
  let nowMs = 0;
  const create = () => new Expectations({ nowMs: () => nowMs });

  it('are fulfilled when nothing was expected', () => {
    expect(create().isFulfilled('a')).to.equal(true);
  });

  it('hold until all creations were seen, or will not come', () => {
    const expectations = create();
    expectations.expect('a', { creations: 3 });
    expectations.creationObserved('a');
    expectations.creationObserved('b');
    expect([expectations.isFulfilled('a'), expectations.isFulfilled('b')]).to.deep.equal([false, true]);
    expectations.creationObserved('a', 2);
    expect(expectations.isFulfilled('a')).to.equal(true);
  });

  it('count each deletion once', () => {
    const expectations = create();
    expectations.expect('a', { deletions: ['x', 'y'] });
    for (const uid of ['x', 'x', 'z']) expectations.deletionObserved('a', uid);
    expect(expectations.isFulfilled('a')).to.equal(false);
    expectations.deletionObserved('a', 'y');
    expect(expectations.isFulfilled('a')).to.equal(true);
  });

  it('end after five minutes, and with their owner', () => {
    const expectations = create();
    expectations.expect('a', { creations: 1 });
    expectations.expect('b', { creations: 1 });
    expectations.forget('b');
    nowMs += 299_999;
    expect([expectations.isFulfilled('a'), expectations.isFulfilled('b')]).to.deep.equal([false, true]);
    nowMs += 1;
    expect(expectations.isFulfilled('a')).to.equal(true);
  });
});
