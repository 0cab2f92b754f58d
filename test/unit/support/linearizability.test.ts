import { expect } from 'chai';
import { describe, it } from 'mocha';
import { findViolations, type Operation } from '../../support/linearizability.ts';

type Times = readonly [invokedAt: number, returnedAt: number];

const at = ([invokedAt, returnedAt]: Times) => ({ invokedAt, returnedAt });
const ok = (revision: number) => ({ kind: 'ok', revision }) as const;
const create = (times: Times, key: string, revision: number): Operation => ({
  ...{ kind: 'write', verb: 'create', key, expected: 0, answer: ok(revision) },
  ...at(times),
});
const update = (times: Times, key: string, expected: number, revision: number): Operation => ({
  ...{ kind: 'write', verb: 'update', key, expected, answer: ok(revision) },
  ...at(times),
});
const remove = (times: Times, key: string, expected: number, revision: number): Operation => ({
  ...{ kind: 'write', verb: 'delete', key, expected, answer: ok(revision) },
  ...at(times),
});
const refused = (times: Times, key: string, expected: number, current: number): Operation => ({
  ...{ kind: 'write', verb: 'update', key, expected, answer: { kind: 'conflict', current } },
  ...at(times),
});
const get = (times: Times, key: string, revision: number): Operation => ({
  ...{ kind: 'get', key, revision },
  ...at(times),
});
const range = (times: Times, revision: number, objects: Record<string, number>): Operation => ({
  ...{ kind: 'range', revision, objects: new Map(Object.entries(objects)) },
  ...at(times),
});

describe('findViolations', () => {
  const right: Record<string, readonly Operation[]> = {
    'no operations': [],
    'one after another': [
      get([1, 2], 'a', 0),
      create([3, 4], 'a', 2),
      get([5, 6], 'a', 2),
      update([7, 8], 'a', 2, 3),
      refused([9, 10], 'a', 2, 3),
      range([11, 12], 3, { a: 3 }),
      remove([13, 14], 'a', 3, 4),
      get([15, 16], 'a', 0),
      refused([17, 18], 'a', 3, 0),
    ],
    'a read beside a write that sees it or not': [
      create([1, 2], 'a', 2),
      update([3, 10], 'a', 2, 3),
      get([4, 5], 'a', 2),
      get([6, 7], 'a', 3),
      get([4, 9], 'a', 3),
    ],
    'writes side by side, in the order of their revisions': [
      create([1, 9], 'a', 5),
      create([2, 8], 'b', 3),
      create([3, 7], 'c', 4),
    ],
    'a key that was gone twice': [
      create([1, 2], 'a', 2),
      remove([3, 10], 'a', 2, 3),
      create([4, 11], 'a', 4),
      remove([5, 12], 'a', 4, 5),
      get([6, 7], 'a', 4),
      get([8, 9], 'a', 0),
    ],
    'a range at a revision of writes elsewhere': [create([1, 2], 'a', 2), range([3, 4], 90, { a: 2 })],
  };
  for (const [name, history] of Object.entries(right)) {
    it(`accepts ${name}`, () => expect(findViolations(history)).to.deep.equal([]));
  }

  const wrong: Record<string, readonly Operation[]> = {
    'a stale read': [create([1, 2], 'a', 2), update([3, 4], 'a', 2, 3), get([5, 6], 'a', 2)],
    'a read of nothing after a create': [create([1, 2], 'a', 2), get([3, 4], 'a', 0)],
    'a read from the future': [create([1, 2], 'a', 2), get([3, 4], 'a', 3), update([5, 6], 'a', 2, 3)],
    'a read of what was never written': [create([1, 2], 'a', 2), get([3, 4], 'a', 7)],
    'reads that go back': [
      create([1, 2], 'a', 2),
      update([3, 20], 'a', 2, 3),
      get([4, 5], 'a', 3),
      get([6, 7], 'a', 2),
    ],
    'reads of two keys that go back': [
      create([1, 2], 'a', 2),
      create([1, 2], 'b', 3),
      update([3, 20], 'a', 2, 4),
      update([3, 20], 'b', 3, 5),
      get([4, 5], 'b', 5),
      get([6, 7], 'a', 2),
    ],
    'a lost update': [create([1, 2], 'a', 2), update([3, 6], 'a', 2, 3), update([4, 5], 'a', 2, 4)],
    'two creates that both won': [create([1, 4], 'a', 2), create([2, 3], 'a', 3)],
    'an update of what was gone': [
      create([1, 2], 'a', 2),
      remove([3, 4], 'a', 2, 3),
      update([5, 6], 'a', 2, 4),
    ],
    'writes that were reordered': [create([1, 2], 'a', 3), create([3, 4], 'b', 2)],
    'two writes of one revision': [create([1, 4], 'a', 2), create([2, 3], 'b', 2)],
    'a write that is refused what it expected': [create([1, 2], 'a', 2), refused([3, 4], 'a', 2, 2)],
    'a refusal with an old state': [
      create([1, 2], 'a', 2),
      update([3, 4], 'a', 2, 3),
      refused([5, 6], 'a', 9, 2),
    ],
    'a range that is old': [create([1, 2], 'a', 2), update([3, 4], 'a', 2, 3), range([5, 6], 2, { a: 2 })],
    'a range that misses an object': [
      create([1, 2], 'a', 2),
      create([3, 4], 'b', 3),
      range([5, 6], 3, { b: 3 }),
    ],
    'a range that mixes two states': [
      create([1, 2], 'a', 2),
      create([3, 4], 'b', 3),
      update([5, 20], 'a', 2, 4),
      update([5, 20], 'b', 3, 5),
      range([6, 19], 4, { a: 4, b: 5 }),
    ],
    'a range of what has not begun': [
      create([1, 2], 'a', 2),
      range([3, 4], 3, { a: 3 }),
      update([5, 6], 'a', 2, 3),
    ],
    'a range after a read that saw more': [
      create([1, 2], 'a', 2),
      update([3, 20], 'a', 2, 3),
      get([4, 5], 'a', 3),
      range([6, 7], 2, { a: 2 }),
    ],
  };
  for (const [name, history] of Object.entries(wrong)) {
    it(`rejects ${name}`, () => expect(findViolations(history)).to.not.be.empty);
  }

  it('says what is wrong', () => {
    expect(findViolations(wrong['a stale read'] ?? [])).to.deep.equal([
      'get a = 2 (5-6): not possible from revision 3 to Infinity',
    ]);
  });
});
