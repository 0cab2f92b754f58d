import { expect } from 'chai';
import fc from 'fast-check';
import type { StorageEvent } from '../../../../src/storage/contract.ts';
import { firstRevision, History } from '../../../../src/storage/memory/history.ts';

const eventOf = (revision: number, size: number): StorageEvent => ({
  kind: 'put',
  revision,
  object: { key: '/k', bytes: Buffer.alloc(size), revision },
  previous: undefined,
});

/** A history of events of these sizes, from the first revision on that a write can have. */
function createHistory(maxBytes: number, ...sizes: readonly number[]) {
  const history = new History(maxBytes);
  let revision = firstRevision;
  const push = (size: number): void => history.push(eventOf(++revision, size));
  for (const size of sizes) push(size);
  return { history, push, since: (from: number) => history.after(from).map((event) => event.revision) };
}

describe('History', () => {
  it('has all events after a revision, oldest first', () => {
    const { since } = createHistory(100, 1, 1, 1);
    expect(since(1)).to.deep.equal([2, 3, 4]);
    expect(since(2)).to.deep.equal([3, 4]);
    expect(since(4)).to.deep.equal([]);
    expect(since(9)).to.deep.equal([]);
    // Before the first write nothing happened.
    expect(since(0)).to.deep.equal([2, 3, 4]);
  });

  it('forgets up to a revision, that one included', () => {
    const { history, since, push } = createHistory(100, 1, 1, 1, 1);
    history.compact(3);
    expect(history.compacted).to.equal(3);
    expect(since(3)).to.deep.equal([4, 5]);
    push(1);
    expect(since(4)).to.deep.equal([5, 6]);
    history.compact(6);
    expect(since(6)).to.deep.equal([]);
    push(1);
    expect(since(6)).to.deep.equal([7]);
  });

  it('does not go back to an older revision', () => {
    const { history, since } = createHistory(100, 1, 1, 1);
    history.compact(3);
    for (const revision of [3, 2, 0]) history.compact(revision);
    expect(history.compacted).to.equal(3);
    expect(since(3)).to.deep.equal([4]);
  });

  it('may be compacted before anything was written', () => {
    const { history, since, push } = createHistory(100);
    expect(history.compacted).to.equal(0);
    history.compact(firstRevision);
    expect(history.compacted).to.equal(firstRevision);
    push(1);
    expect(since(1)).to.deep.equal([2]);
  });

  it('forgets the oldest quarter when it has more than its bytes', () => {
    const { history, since, push } = createHistory(80, ...Array(8).fill(10));
    expect(history.compacted).to.equal(0);
    push(0);
    expect(history.compacted, 'just full').to.equal(0);
    push(1);
    // Three of ten: a quarter, rounded up.
    expect(history.compacted).to.equal(4);
    expect(since(4)).to.deep.equal([5, 6, 7, 8, 9, 10, 11]);
    for (let count = 0; count < 29; count++) push(1);
    expect(history.compacted, 'full again').to.equal(4);
    push(1);
    expect(history.compacted).to.be.greaterThan(4);
  });

  it('forgets a quarter of many', () => {
    const { history } = createHistory(99, ...Array(100).fill(1));
    expect(history.compacted).to.equal(firstRevision + 25);
  });

  it('forgets even the newest event when it alone has more', () => {
    const { history, since, push } = createHistory(10, 11);
    expect(history.compacted).to.equal(2);
    push(1);
    expect(since(2)).to.deep.equal([3]);
  });

  it('has every event after its compacted revision, and forgets a quarter only of more than its bytes', () => {
    const step = fc.oneof(fc.nat(30), fc.record({ compact: fc.nat(40) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { history, since, push } = createHistory(100);
        const sizes = new Map<number, number>();
        const kept = () => [...sizes.keys()].filter((one) => one > history.compacted);
        let revision = firstRevision;
        for (const each of steps) {
          if (typeof each !== 'number') history.compact(Math.min(each.compact, revision));
          else {
            sizes.set(++revision, each);
            const before = kept();
            push(each);
            const isTooMuch = before.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0) > 100;
            const forgotten = before.length - kept().length;
            expect(forgotten).to.equal(isTooMuch ? Math.ceil(before.length / 4) : 0);
          }
          expect(since(history.compacted)).to.deep.equal(kept());
        }
      }),
    );
  });
});
