import { writeSync } from 'node:fs';
import { errorCode } from '../../../src/base/index.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { makeCheckedValue, readChecksum } from './checked-value.ts';

/**
 * Program that writes to the store at its first argument until it is killed. For every acknowledged write it
 * prints `key revision checksum`, with `-` as the checksum of a delete.
 */
const writers = 8;
const keysPerWriter = 12;
const path = process.argv[2] ?? '';

const storage = await openSqliteStorage({ path, dialect: 'orch' });
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Prints a line at once, so that no kill comes between. A pipe that nobody has read for a while is full: it waits for that. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(nobody, 0, 0, 1);
    }
  }
}

async function writeForever(writer: number): Promise<never> {
  for (let round = 0; ; round++) {
    const key = `/registry/things/${writer}/${round % keysPerWriter}`;
    const current = await storage.get(key);
    const value = makeCheckedValue(`${process.pid} ${round} `.repeat(1 + ((round * 37 + writer) % 600)));
    const isDelete = current !== undefined && round % 5 === 4;
    const result = isDelete
      ? await storage.delete(key, current.revision)
      : current === undefined
        ? await storage.create(key, value)
        : await storage.update(key, current.revision, value);
    if (result.kind !== 'ok') throw new Error(`unexpected conflict at ${key}`);
    const { object, revision } = result;
    print(`${key} ${revision} ${isDelete ? '-' : readChecksum(object.bytes, revision)}`);
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => writeForever(writer)));
