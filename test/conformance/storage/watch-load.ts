import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { StoredObject } from '../../../src/storage/index.ts';
import { SeededRandom } from '../../integration/server/hostile/seeded-random.ts';
import type { WatchRecorder } from './recorder.ts';
import { assertAscending, assertWholeBatches, openSubject, type Subject } from './subject.ts';
import type { OpenDriver, SuiteOptions } from './suite.ts';
import { readValue } from './values.ts';

const writers = 4;
const writesPerWriter = 80;
const keysPerWriter = 6;
const seed = 20_201;

/** The six guarantees again, while four writers write and watches start and stop at random revisions. */
export function describeWatchLoad(openDriver: OpenDriver, { isAlone }: SuiteOptions): void {
  describe('under load', function () {
    this.timeout(60_000);
    let subject: Subject;
    let load: Load;
    before(async () => {
      subject = await openSubject(openDriver);
      load = await runLoad(subject);
    });
    after(() => subject[Symbol.asyncDispose]());

    it('is ordered: revisions only grow, in every watch', () => {
      for (const { recorder } of load.watches) {
        assertAscending(recorder.events.map(({ revision }) => revision));
      }
    });

    it('is unique: no watch gets an event twice', () => {
      for (const { recorder } of load.watches) {
        expect(new Set(recorder.lines)).to.have.lengthOf(recorder.lines.length);
      }
    });

    it('is reliable: no watch misses an event between its start and what it says it has delivered', () => {
      for (const { recorder, after: start, folder } of load.watches) {
        const end = recorder.progress.at(-1) ?? start;
        expect(recorder.lines.filter((line) => revisionOf(line) <= end)).to.deep.equal(
          load.truth(folder, start, end),
        );
        expect(recorder.errors).to.deep.equal([]);
      }
    });

    it('is atomic: batches are whole, and what an event says was before is what came before', () => {
      for (const { recorder } of load.watches) {
        assertWholeBatches(recorder.batches);
        const state = new Map<string, StoredObject>();
        for (const { kind, object, previous } of recorder.events) {
          const known = state.get(object.key);
          if (known !== undefined) expect(previous?.bytes.toString()).to.equal(known.bytes.toString());
          if (kind === 'put') state.set(object.key, object);
          else state.delete(object.key);
        }
      }
    });

    it('is resumable: watches that take over from one another see together what one watch sees', () => {
      for (const chain of load.chains) {
        const lines = chain.flatMap(({ recorder }) => recorder.lines);
        expect(lines).to.deep.equal(load.truth('', subject.start, load.last));
        expect(chain.length).to.be.above(3);
      }
    });

    it('is bookmarkable: progress never goes back, and nothing comes after it that it covers', () => {
      for (const { recorder } of load.watches) {
        let progress = 0;
        for (const mark of recorder.marks) {
          if (mark.kind === 'events') expect(mark.revision).to.be.above(progress);
          else {
            expect(mark.revision).to.be.at.least(progress);
            progress = mark.revision;
          }
        }
      }
    });

    if (isAlone) {
      it('has no holes', () => {
        expect(load.truth('', subject.start, load.last).length).to.equal(load.last - subject.start);
      });
    }
  });
}

interface LoadWatch {
  readonly folder: string;
  readonly after: number;
  readonly recorder: WatchRecorder;
}

interface Load {
  readonly watches: readonly LoadWatch[];
  /** Each a row of watches of everything, where the next one starts at what the one before it delivered. */
  readonly chains: readonly (readonly LoadWatch[])[];
  /** Revision of the last write. */
  readonly last: number;
  /** Lines of the acknowledged writes below `folder`, after one revision and up to another. */
  truth(folder: string, after: number, end: number): readonly string[];
}

async function runLoad(subject: Subject): Promise<Load> {
  const random = new SeededRandom(seed);
  const watches: LoadWatch[] = [];
  let isDone = false;
  const write = async (writer: number): Promise<void> => {
    const current = new Map<string, StoredObject>();
    for (let round = 0; round < writesPerWriter; round++) {
      await new Promise(setImmediate); // Else a store in memory would be done before a watch starts.
      const name = `${writer}/${random.below(keysPerWriter)}`;
      const old = current.get(name);
      if (old === undefined) current.set(name, await subject.create(name, round));
      else if (random.happens(0.25)) {
        await subject.delete(old);
        current.delete(name);
      } else
        current.set(name, await subject.update(old, `${readValue(old.bytes).content}.${round}`.slice(-20)));
    }
  };
  /** Resolves after so many more writes, so that a slow store does not get more watches than a fast one. */
  const passWrites = async (count: number): Promise<void> => {
    const target = subject.lines.length + count;
    while (!isDone && subject.lines.length < target) await new Promise(setImmediate);
  };
  const start = (folder: string, from: number): LoadWatch => {
    const watch = { folder, after: from, recorder: subject.watch({ folder, after: from }) };
    watches.push(watch);
    return watch;
  };
  /** Watches that start anywhere, also a little in the future, and mostly end soon. */
  const startAndStop = async (): Promise<void> => {
    while (!isDone) {
      const known = subject.lines.map(revisionOf);
      const from =
        known.length > 0 && random.happens(0.8) ? random.pick(known) : (known.at(-1) ?? 0) + random.below(4);
      const watch = start(random.pick(['', '0/', '2/']), Math.max(from, subject.start));
      await passWrites(1 + random.below(8));
      if (random.happens(0.7)) watch.recorder.close();
    }
  };
  /** Closes its watch again and again, and goes on with a new one where that stood. */
  const takeOver = async (): Promise<readonly LoadWatch[]> => {
    const chain = [start('', subject.start)];
    while (!isDone) {
      await passWrites(1 + random.below(24));
      const last = chain.at(-1);
      if (last === undefined) break;
      last.recorder.close();
      const position = last.recorder.events.at(-1)?.revision ?? 0;
      chain.push(start('', Math.max(last.after, position, last.recorder.progress.at(-1) ?? 0)));
    }
    return chain;
  };
  const takingOver = [takeOver(), takeOver()];
  const startingAndStopping = startAndStop();
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  isDone = true;
  await startingAndStopping;
  const chains = await Promise.all(takingOver);
  const lines = subject.lines.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  const last = revisionOf(lines.at(-1) ?? '');
  for (const chain of chains) await chain.at(-1)?.recorder.reaches(last);
  const truth = (folder: string, from: number, end: number): readonly string[] =>
    lines.filter(
      (line) =>
        line.includes(` ${subject.key(folder)}`) && revisionOf(line) > from && revisionOf(line) <= end,
    );
  return { watches, chains, last, truth };
}

function revisionOf(line: string): number {
  return Number(line.slice(line.lastIndexOf('@') + 1));
}
