import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { StorageEvent } from '../../../src/storage/index.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { readChecksum } from './checked-value.ts';
import { checkState, readEvents } from './stored-history.ts';

/** Two stores at a time, each killed so often. */
const stores = 2;
const kills = 16;
const program = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));

interface Acknowledged {
  readonly revision: number;
  /** `-` for a delete. */
  readonly checksum: string;
}

describe('openSqliteStorage, killed while it writes', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'storage-crash-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it(`keeps every acknowledged write whole over ${stores * kills} kills`, async function () {
    this.timeout(180_000); // thirty-odd starts of a program, and as many waits for the disk
    await Promise.all(
      Array.from({ length: stores }, (_, index) => killOften(join(directory, `${index}.db`), index)),
    );
  });
});

async function killOften(path: string, seed: number): Promise<void> {
  const acknowledged = new Map<string, Acknowledged>();
  for (let kill = 0; kill < kills; kill++) {
    await writeAndKill(path, { acknowledged, lines: (kill * 53 + seed * 17) % 211 });
    const storage = await openSqliteStorage({ path, dialect: 'orch' });
    const events = await readEvents(storage);
    const { objects } = await storage.range({ prefix: '/registry/' });
    expect(await storage.currentRevision()).to.equal(events.length + 1);
    checkAcknowledged(acknowledged, events);
    checkState(objects, events);
    await storage[Symbol.asyncDispose]();
  }
  expect(acknowledged.size).to.be.above(50);
}

/** Lets the program acknowledge at least `lines` writes, kills it, and notes everything that it acknowledged. */
async function writeAndKill(
  path: string,
  { acknowledged, lines }: { readonly acknowledged: Map<string, Acknowledged>; readonly lines: number },
): Promise<void> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  for await (const line of readLines(child)) {
    const [key = '', revision = '', checksum = ''] = line.split(' ');
    // The last line may be torn by the kill; a whole one has a checksum or a dash.
    if (checksum.length === 16 || checksum === '-')
      acknowledged.set(key, { revision: Number(revision), checksum });
    seen++;
    if (seen > lines) child.kill('SIGKILL');
  }
  expect(seen, 'the program ended by itself').to.be.above(lines);
}

async function* readLines(child: ChildProcess): AsyncIterable<string> {
  if (child.stdout === null) throw new Error('no output to read');
  const exited = new Promise((resolve) => child.once('exit', resolve));
  yield* createInterface({ input: child.stdout });
  await exited;
}

/** What was acknowledged happened, as it was acknowledged. */
function checkAcknowledged(
  acknowledged: ReadonlyMap<string, Acknowledged>,
  events: readonly StorageEvent[],
): void {
  for (const [key, { revision, checksum }] of acknowledged) {
    const event = events[revision - 2];
    expect(event?.object.key).to.equal(key);
    expect(event?.kind).to.equal(checksum === '-' ? 'delete' : 'put');
    if (checksum !== '-' && event !== undefined)
      expect(readChecksum(event.object.bytes, revision)).to.equal(checksum);
  }
}
