import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Storage, WriteResult } from '../../../src/storage/index.ts';
import { SeededRandom } from '../../integration/server/hostile/seeded-random.ts';
import { findViolations, type Operation, type WriteOperation } from '../../support/linearizability.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue } from './values.ts';

const histories = 200;
const writers = 8;
const readers = 4;
const stepsEach = 5;
const keys = ['a', 'b', 'c'] as const;
const firstSeed = 12_000;

/** That concurrent reads and writes are as if each happened at one instant while it was asked for. */
export function describeLinearizable(openDriver: OpenDriver): void {
  describe('linearizability', function () {
    this.timeout(60_000);
    let subject: Subject;
    before(async () => {
      subject = await openSubject(openDriver);
    });
    after(() => subject[Symbol.asyncDispose]());

    it(`explains ${histories} histories of ${writers} writers and ${readers} readers`, async () => {
      for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
        const operations = await record(subject, seed);
        expect(findViolations(operations), `seed ${seed}`).to.deep.equal([]);
      }
    });
  });
}

/** Runs clients side by side on keys of their own and notes what each asked for and was told. */
async function record(subject: Subject, seed: number): Promise<readonly Operation[]> {
  const recorder = new Recorder(subject, `history-${seed}/`);
  const run = async (client: number): Promise<void> => {
    const random = new SeededRandom(seed * 100 + client);
    for (let step = 0; step < stepsEach; step++) {
      // Clients that run in step would meet in the same way every time.
      for (let turns = random.below(3); turns > 0; turns--) await new Promise(setImmediate);
      await (client < writers ? recorder.write(random) : recorder.read(random));
    }
  };
  await Promise.all(Array.from({ length: writers + readers }, (_, client) => run(client)));
  return recorder.operations;
}

class Recorder {
  readonly operations: Operation[] = [];
  readonly #storage: Storage;
  readonly #folder: string;
  /** What clients believe: the last revision that any of them saw of a key. Often out of date, as it should be. */
  readonly #seen = new Map<string, number>();
  #ticks = 0;

  constructor(subject: Subject, folder: string) {
    this.#storage = subject.storage;
    this.#folder = subject.key(folder);
  }

  async write(random: SeededRandom): Promise<void> {
    const key = this.#folder + random.pick(keys);
    const seen = this.#seen.get(key) ?? 0;
    const isCreate = seen === 0 || random.happens(0.1);
    const verb = isCreate ? 'create' : random.happens(0.3) ? 'delete' : 'update';
    const invokedAt = ++this.#ticks;
    const result = await this.#send(verb, key, seen);
    const returnedAt = ++this.#ticks;
    this.#seen.set(key, believed(verb, result));
    const answer: WriteOperation['answer'] =
      result.kind === 'ok' ? result : { kind: 'conflict', current: result.current?.revision ?? 0 };
    const expected = isCreate ? 0 : seen;
    this.operations.push({ kind: 'write', verb, key, expected, answer, invokedAt, returnedAt });
  }

  async read(random: SeededRandom): Promise<void> {
    const invokedAt = ++this.#ticks;
    if (random.happens(0.4)) {
      const { objects, revision } = await this.#storage.range({ prefix: this.#folder });
      const returnedAt = ++this.#ticks;
      const byKey = new Map(objects.map((object) => [object.key, object.revision]));
      this.operations.push({ kind: 'range', revision, objects: byKey, invokedAt, returnedAt });
    } else {
      const key = this.#folder + random.pick(keys);
      const object = await this.#storage.get(key);
      const returnedAt = ++this.#ticks;
      const revision = object?.revision ?? 0;
      this.#seen.set(key, revision);
      this.operations.push({ kind: 'get', key, revision, invokedAt, returnedAt });
    }
  }

  #send(verb: WriteOperation['verb'], key: string, expected: number): Promise<WriteResult> {
    if (verb === 'create') return this.#storage.create(key, makeValue('x'));
    if (verb === 'update') return this.#storage.update(key, expected, makeValue('x'));
    return this.#storage.delete(key, expected);
  }
}

function believed(verb: WriteOperation['verb'], result: WriteResult): number {
  if (result.kind === 'conflict') return result.current?.revision ?? 0;
  return verb === 'delete' ? 0 : result.revision;
}
