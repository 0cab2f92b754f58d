import { expect } from 'chai';
import fc from 'fast-check';
import { RevisionGate } from '../../../../src/storage/etcd/revision-gate.ts';

/** A gate, and the revisions whose callbacks were called. */
function createGate() {
  const gate = new RevisionGate();
  const opened: (number | string)[] = [];
  const wait = (revision: number, name: number | string = revision): void =>
    gate.wait(revision, () => opened.push(name));
  return { gate, opened, wait };
}

describe('RevisionGate', () => {
  it('knows nobody at first', () => {
    const { gate, opened } = createGate();
    expect([gate.first, gate.last]).to.deep.equal([undefined, undefined]);
    gate.advance(1_000_000);
    expect(opened).to.deep.equal([]);
  });

  it('opens up to the revision that is reached, and each once', () => {
    const { gate, opened, wait } = createGate();
    for (const revision of [3, 5, 9]) wait(revision);
    gate.advance(2);
    expect(opened).to.deep.equal([]);
    gate.advance(5);
    expect(opened).to.deep.equal([3, 5]);
    expect([gate.first, gate.last]).to.deep.equal([9, 9]);
    gate.advance(5);
    gate.advance(4);
    expect(opened).to.deep.equal([3, 5]);
    gate.advance(20);
    expect(opened).to.deep.equal([3, 5, 9]);
    expect(gate.first).to.equal(undefined);
  });

  it('opens in order of revision, and those of one revision in the order in which they came', () => {
    const { gate, opened, wait } = createGate();
    wait(5, 'a');
    wait(3, 'b');
    wait(5, 'c');
    wait(4, 'd');
    wait(3, 'e');
    expect([gate.first, gate.last]).to.deep.equal([3, 5]);
    gate.advance(5);
    expect(opened).to.deep.equal(['b', 'e', 'd', 'a', 'c']);
  });

  it('waits for the next advance with one that comes late', () => {
    const { gate, opened, wait } = createGate();
    gate.advance(7);
    wait(5);
    expect(opened).to.deep.equal([]);
    gate.advance(7);
    expect(opened).to.deep.equal([5]);
  });

  it('lets callbacks wait again and advance', () => {
    const { gate, opened, wait } = createGate();
    gate.wait(2, () => {
      wait(2, 'again');
      wait(3);
      gate.advance(3);
      opened.push('first');
    });
    wait(2, 'second');
    gate.advance(2);
    expect(opened).to.deep.equal(['again', 3, 'first', 'second']);
    expect(gate.first).to.equal(undefined);
  });

  it('calls whatever it is given once, as soon as its revision is reached', () => {
    const step = fc.record({ kind: fc.constantFrom('wait', 'advance'), revision: fc.nat(10) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { gate, opened, wait } = createGate();
        let waiting: { revision: number; id: number }[] = [];
        const wanted: number[] = [];
        for (const [id, { kind, revision }] of steps.entries()) {
          if (kind === 'wait') {
            wait(revision, id);
            waiting.push({ revision, id });
          } else {
            gate.advance(revision);
            const due = waiting.filter((each) => each.revision <= revision);
            wanted.push(...due.sort((a, b) => a.revision - b.revision).map((each) => each.id));
            waiting = waiting.filter((each) => each.revision > revision);
          }
          expect(opened).to.deep.equal(wanted);
          const revisions = waiting.map((each) => each.revision);
          expect(gate.first ?? Infinity).to.equal(Math.min(...revisions));
          expect(gate.last ?? -Infinity).to.equal(Math.max(...revisions));
        }
      }),
    );
  });
});
