/**
 * A checker of recorded histories of a revisioned key-value store. Revisions tell in which order writes were applied,
 * so no order has to be searched: writes lie at their revisions, and each other answer is given the earliest revision
 * that explains it and that real time allows. The earliest one leaves the most room to what follows, so a history that
 * fails has no explanation at all.
 */

/** When an operation began and when it was answered, on one clock; only the order counts. */
export interface Interval {
  readonly invokedAt: number;
  readonly returnedAt: number;
}

export interface WriteOperation extends Interval {
  readonly kind: 'write';
  readonly verb: 'create' | 'update' | 'delete';
  readonly key: string;
  /** Revision that the object had to have; 0 of a create: that there is none. */
  readonly expected: number;
  /** `current` is the revision of the object that a conflict showed, 0 where there was none. */
  readonly answer:
    | { readonly kind: 'ok'; readonly revision: number }
    | { readonly kind: 'conflict'; readonly current: number };
}

export interface GetOperation extends Interval {
  readonly kind: 'get';
  readonly key: string;
  /** Revision of the object, 0 where there was none. */
  readonly revision: number;
}

export interface RangeOperation extends Interval {
  readonly kind: 'range';
  /** Revision that the answer is exact for. */
  readonly revision: number;
  /** Revisions of all objects, by key. */
  readonly objects: ReadonlyMap<string, number>;
}

export type Operation = WriteOperation | GetOperation | RangeOperation;

/**
 * Why no order of the operations explains what they answered, one sentence each; empty when one does. Every successful
 * write to the keys must be among them, from when the keys did not exist.
 */
export function findViolations(operations: readonly Operation[]): readonly string[] {
  const states = collectStates(operations);
  const latestFor = boundByLaterWrites(operations);
  const completions = operations.toSorted((a, b) => a.returnedAt - b.returnedAt);
  const places = new Map<Operation, number>();
  const found = findSharedRevisions(operations);
  let earliest = 0;
  let completed = 0;
  for (const operation of operations.toSorted((a, b) => a.invokedAt - b.invokedAt)) {
    for (let done = completions[completed]; done !== undefined; done = completions[++completed]) {
      if (done.returnedAt >= operation.invokedAt) break;
      earliest = Math.max(earliest, places.get(done) ?? 0);
    }
    found.push(...findWrongAnswer(operation, states));
    const place = findPlace(operation, earliest, states);
    const latest = latestFor(operation);
    const isPossible = Number.isFinite(place) && place >= earliest && place <= latest;
    places.set(operation, isPossible ? place : earliest);
    if (!isPossible)
      found.push(`${describeOperation(operation)}: not possible from revision ${earliest} to ${latest}`);
  }
  return found;
}

/** A key from revision `from` on. */
interface State {
  readonly from: number;
  /** Revision of the object, 0 where there is none. */
  readonly revision: number;
}

/** States of every key that was written, oldest first. */
type States = ReadonlyMap<string, readonly State[]>;

function collectStates(operations: readonly Operation[]): States {
  const states = new Map<string, State[]>();
  for (const { write, revision } of acknowledgedWrites(operations)) {
    const ofKey = states.get(write.key) ?? [{ from: 0, revision: 0 }];
    ofKey.push({ from: revision, revision: write.verb === 'delete' ? 0 : revision });
    states.set(write.key, ofKey);
  }
  return states;
}

interface Acknowledged {
  readonly write: WriteOperation;
  readonly revision: number;
}

/** In revision order. */
function acknowledgedWrites(operations: readonly Operation[]): readonly Acknowledged[] {
  const writes: Acknowledged[] = [];
  for (const write of operations) {
    if (write.kind === 'write' && write.answer.kind === 'ok')
      writes.push({ write, revision: write.answer.revision });
  }
  return writes.sort((a, b) => a.revision - b.revision);
}

function findSharedRevisions(operations: readonly Operation[]): string[] {
  const writes = acknowledgedWrites(operations);
  return writes.flatMap(({ write, revision }, index) =>
    revision === writes[index - 1]?.revision
      ? [`${describeOperation(write)}: revision of another write`]
      : [],
  );
}

/** Gives the last revision before every write that began after an operation was answered. */
function boundByLaterWrites(operations: readonly Operation[]): (operation: Operation) => number {
  const writes = acknowledgedWrites(operations).toSorted((a, b) => a.write.invokedAt - b.write.invokedAt);
  const bounds: number[] = [];
  for (let index = writes.length - 1, bound = Number.POSITIVE_INFINITY; index >= 0; index--) {
    bound = Math.min(bound, (writes[index]?.revision ?? 0) - 1);
    bounds[index] = bound;
  }
  return ({ returnedAt }) => {
    let [low, high] = [0, writes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((writes[middle]?.write.invokedAt ?? 0) > returnedAt) high = middle;
      else low = middle + 1;
    }
    return bounds[low] ?? Number.POSITIVE_INFINITY;
  };
}

/** What is wrong with an answer whenever it was given. */
function findWrongAnswer(operation: Operation, states: States): readonly string[] {
  if (operation.kind === 'range') return findWrongObjects(operation, states);
  if (operation.kind === 'get') return [];
  const { answer, expected, key } = operation;
  if (answer.kind === 'conflict')
    return answer.current === expected ? [`${describeOperation(operation)}: refused what it expected`] : [];
  const before = stateAt(states, key, answer.revision - 1);
  return before === expected ? [] : [`${describeOperation(operation)}: replaced ${before}`];
}

function findWrongObjects(range: RangeOperation, states: States): readonly string[] {
  const { revision, objects } = range;
  return [...new Set([...states.keys(), ...objects.keys()])].flatMap((key) => {
    const right = stateAt(states, key, revision);
    const seen = objects.get(key) ?? 0;
    return seen === right ? [] : [`${describeOperation(range)}: shows ${key} at ${seen} and not at ${right}`];
  });
}

/** The first revision, not before `earliest`, that explains the operation; Infinity when none does. */
function findPlace(operation: Operation, earliest: number, states: States): number {
  if (operation.kind === 'range') return operation.revision;
  if (operation.kind === 'write' && operation.answer.kind === 'ok') return operation.answer.revision;
  const seen = operation.kind === 'get' ? operation.revision : shownBy(operation);
  if (stateAt(states, operation.key, earliest) === seen) return earliest;
  const later = states.get(operation.key)?.find(({ from, revision }) => from > earliest && revision === seen);
  return later?.from ?? Number.POSITIVE_INFINITY;
}

function shownBy({ answer }: WriteOperation): number {
  return answer.kind === 'conflict' ? answer.current : answer.revision;
}

function stateAt(states: States, key: string, revision: number): number {
  return states.get(key)?.findLast(({ from }) => from <= revision)?.revision ?? 0;
}

function describeOperation(operation: Operation): string {
  const when = `${operation.invokedAt}-${operation.returnedAt}`;
  if (operation.kind === 'range') return `range at ${operation.revision} (${when})`;
  if (operation.kind === 'get') return `get ${operation.key} = ${operation.revision} (${when})`;
  const { verb, key, expected, answer } = operation;
  return `${verb} ${key} if ${expected} = ${answer.kind} ${shownBy(operation)} (${when})`;
}
