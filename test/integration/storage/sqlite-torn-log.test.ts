import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { StorageEvent } from '../../../src/storage/index.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { lineOf } from '../../conformance/storage/subject.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { SeededRandom } from '../server/hostile/seeded-random.ts';
import { checkState, readEvents } from './stored-history.ts';

const program = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));
const damagesPerKind = 3;
/** Damage reaches so far back: several transactions. */
const maxDamagedBytes = 100_000;
/** A log this large may have been copied into the database before: damage to it were none that power failures do. */
const maxLogBytes = 1_900_000;
const maxAttempts = 10;
/** Acknowledged writes before a copy is taken. */
const linesBeforeCopy = [20, 45, 70] as const;
const seed = 7_001;

/** What a power failure, or a disk that lies, leaves of the end of the log. */
const damages: Record<string, (log: Buffer, random: SeededRandom) => Buffer> = {
  cut: (log, random) => log.subarray(0, log.length - 1 - random.below(maxDamagedBytes)),
  zeroed: (log, random) => Buffer.from(log).fill(0, log.length - 1 - random.below(maxDamagedBytes)),
  flipped: (log, random) => {
    const damaged = Buffer.from(log);
    const at = log.length - 1 - random.below(maxDamagedBytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << random.below(8)), at);
    return damaged;
  },
  'followed by garbage': (log, random) =>
    Buffer.concat([log, Buffer.from(Array.from({ length: 9000 }, () => random.below(256)))]),
};

describe('openSqliteStorage, with a torn write-ahead log', () => {
  const copies: Copy[] = [];
  /** What each copy holds when its log is whole. */
  const wholeLines: (readonly string[])[] = [];
  before(async function () {
    this.timeout(60_000);
    for (const lines of linesBeforeCopy) {
      const copy = await copyUnderLoad(lines);
      copies.push(copy);
      wholeLines.push((await openCopy(copy, copy.log)).map(lineOf));
    }
  });
  /** Opens a copy with this log; resolves with its events once they are found to be consistent. */
  const openCopy = async (copy: Copy, log: Buffer): Promise<readonly StorageEvent[]> => {
    await using directory = await makeTemporaryDirectory();
    const path = join(directory.path, 'copy.db');
    await Promise.all([writeFile(path, copy.database), writeFile(`${path}-wal`, log)]);
    await using storage = await openSqliteStorage({ path, dialect: 'orch' });
    const events = await readEvents(storage);
    const { objects, revision } = await storage.range({ prefix: '/registry/' });
    checkState(objects, events);
    expect(revision).to.equal(events.length + 1);
    return events;
  };

  it('has every write that was acknowledged before the copy, when the log is whole', () => {
    for (const [index, { acknowledged }] of copies.entries()) {
      const whole = new Set(wholeLines[index]?.map((line) => line.split(' ')[1]));
      for (const { key, revision } of acknowledged) expect(whole.has(`${key}@${revision}`)).to.equal(true);
    }
  });

  for (const [name, damage] of Object.entries(damages)) {
    it(`keeps a beginning of history when the end of the log is ${name}`, async function () {
      this.timeout(60_000);
      let lost = 0;
      for (const [index, copy] of copies.entries()) {
        const random = new SeededRandom(seed + index);
        for (let round = 0; round < damagesPerKind; round++) {
          const kept = (await openCopy(copy, damage(copy.log, random))).map(lineOf);
          const whole = wholeLines[index] ?? [];
          expect(kept).to.deep.equal(whole.slice(0, kept.length));
          lost += whole.length - kept.length;
        }
      }
      // Garbage after the last transaction takes nothing; damage to transactions must, or this tests nothing.
      expect(lost > 0).to.equal(name !== 'followed by garbage');
    });
  }
});

interface Copy {
  readonly database: Buffer;
  readonly log: Buffer;
  readonly acknowledged: readonly { readonly key: string; readonly revision: number }[];
}

/** Copies the files of a store while a program writes to it, as soon as that has acknowledged enough. */
async function copyUnderLoad(lines: number): Promise<Copy> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await using directory = await makeTemporaryDirectory();
    const copy = await copyOnce(join(directory.path, 'store.db'), lines);
    if (copy.log.length <= maxLogBytes) return copy;
  }
  throw new Error('the program was too fast to be stopped in time');
}

async function copyOnce(path: string, lines: number): Promise<Copy> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const acknowledged: Copy['acknowledged'][number][] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [key = '', revision = ''] = line.split(' ');
      acknowledged.push({ key, revision: Number(revision) });
      if (acknowledged.length >= lines) break;
    }
    child.kill('SIGSTOP');
    const [database, log] = [await readFile(path), await readFile(`${path}-wal`)];
    expect(log.length).to.be.above(maxDamagedBytes);
    return { database, log, acknowledged };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
