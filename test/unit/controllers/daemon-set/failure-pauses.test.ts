import { expect } from 'chai';
import { FailurePauses } from '../../../../src/controllers/daemon-set/failure-pauses.ts';

describe('pauses after failed pods', () => {
  it('are longer each time in a row on a node, up to a quarter of an hour', () => {
    const pauses = new FailurePauses();
    let nowMs = 0;
    const seen: number[] = [];
    for (let failure = 0; failure < 12; failure++) {
      pauses.failed('s', 1, { node: 'n', nowMs });
      const pauseMs = pauses.remainingMs('s', 1, { node: 'n', nowMs });
      seen.push(pauseMs / 1000);
      nowMs += pauseMs;
      expect(pauses.remainingMs('s', 1, { node: 'n', nowMs })).to.equal(0);
    }
    expect(seen).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(pauses.remainingMs('s', 1, { node: 'other', nowMs })).to.equal(0);
  });

  it('begin anew after half an hour without a failure, with another generation, and with another set', () => {
    const pauses = new FailurePauses();
    const node = 'n';
    for (let failure = 0; failure < 3; failure++) pauses.failed('s', 1, { node, nowMs: 0 });
    expect(pauses.remainingMs('s', 1, { node, nowMs: 0 })).to.equal(4000);
    expect(pauses.remainingMs('t', 1, { node, nowMs: 0 })).to.equal(0);
    const nowMs = 1_800_001;
    pauses.failed('s', 1, { node, nowMs });
    expect(pauses.remainingMs('s', 1, { node, nowMs })).to.equal(1000);
    expect(pauses.remainingMs('s', 2, { node, nowMs })).to.equal(0);
  });
});
