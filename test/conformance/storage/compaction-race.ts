import { expect } from 'chai';
import { StorageError, type StoredObject } from '../../../src/storage/index.ts';
import type { WatchRecorder } from './recorder.ts';
import { lineOf, type Subject } from './subject.ts';
import { readValue } from './values.ts';

const rounds = 60;
const keyCount = 5;
/** Readers and watches start so many writes back at most; the compactor follows closer than that. */
const maxStepsBack = 7;
const compactedSteps = 4;
const maxWatches = 40;

/**
 * One writer, a compactor close behind it, and readers and watches that start at any recent revision: asserts that
 * each of them gets the exact truth or `compacted`.
 */
export async function raceCompaction(subject: Subject): Promise<void> {
  const truth = new Truth(subject, await subject.contents());
  const watches: StartedWatch[] = [];
  let isDone = false;
  const untilDone = async (act: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; !isDone; round++) {
      await act(round);
      await new Promise(setImmediate);
    }
  };
  const write = async (): Promise<void> => {
    for (let round = 0; round < rounds; round++) await truth.write(round);
    isDone = true;
  };
  await Promise.all([
    write(),
    untilDone(() => subject.storage.compact(truth.stepsBack(compactedSteps))),
    untilDone((round) => truth.checkRead(truth.stepsBack(1 + (round % maxStepsBack)))),
    untilDone((round) => truth.checkRead(truth.stepsBack(1 + ((round * 3) % maxStepsBack)))),
    untilDone(async (round) => {
      const after = truth.stepsBack(1 + (round % maxStepsBack));
      if (watches.length < maxWatches) watches.push({ after, watch: subject.watch({ after }) });
    }),
  ]);
  for (const started of watches) await truth.checkWatch(started);
  expect(truth.exactReads).to.be.above(0);
  expect(watches.some(({ watch }) => watch.errors.length === 0)).to.equal(true);
}

interface StartedWatch {
  readonly after: number;
  readonly watch: WatchRecorder;
}

/** What was written, revision by revision. */
class Truth {
  readonly #subject: Subject;
  readonly #revisions: number[];
  readonly #states: Map<number, Record<string, unknown>>;
  readonly #current = new Map<string, StoredObject>();
  #state: Record<string, unknown>;
  exactReads = 0;

  constructor(subject: Subject, state: Record<string, unknown>) {
    const revision = Number(subject.lines.at(-1)?.split('@').at(-1) ?? subject.start);
    this.#subject = subject;
    this.#state = state;
    this.#revisions = [revision];
    this.#states = new Map([[revision, state]]);
  }

  /** The revision that was written so many writes ago. */
  stepsBack(count: number): number {
    return this.#revisions.at(-count) ?? this.#revisions[0] ?? 0;
  }

  async write(round: number): Promise<void> {
    const name = `key-${round % keyCount}`;
    const old = this.#current.get(name);
    const { [name]: _, ...others } = this.#state;
    if (old !== undefined && round % 4 === 3) {
      const { revision } = await this.#subject.delete(old);
      this.#current.delete(name);
      this.#note(revision, others);
      return;
    }
    const write = old ? this.#subject.update(old, round) : this.#subject.create(name, round);
    const object = await write;
    this.#current.set(name, object);
    this.#note(object.revision, { ...others, [name]: readValue(object.bytes).content });
  }

  async checkRead(revision: number): Promise<void> {
    try {
      expect(await this.#subject.contents(revision)).to.deep.equal(this.#states.get(revision));
      this.exactReads++;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'compacted') throw error;
    }
  }

  async checkWatch({ after, watch }: StartedWatch): Promise<void> {
    await Promise.race([watch.reaches(this.stepsBack(1)), watch.fails()]);
    const expected = this.#subject.lines.filter((line) => Number(line.split('@').at(-1)) > after);
    const seen = watch.events.map(lineOf);
    for (const error of watch.errors) expect(error.code).to.equal('compacted');
    // A watch that was cut off has seen the beginning of the truth.
    expect(seen).to.deep.equal(watch.errors.length === 0 ? expected : expected.slice(0, seen.length));
  }

  #note(revision: number, state: Record<string, unknown>): void {
    this.#state = state;
    this.#revisions.push(revision);
    this.#states.set(revision, state);
  }
}
