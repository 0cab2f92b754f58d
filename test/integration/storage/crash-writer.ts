import { writeSync } from 'node:fs';
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
    writeSync(1, `${key} ${revision} ${isDelete ? '-' : readChecksum(object.bytes, revision)}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => writeForever(writer)));
