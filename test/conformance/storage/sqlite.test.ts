import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'mocha';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';
import { describeStorage } from './suite.ts';

let directory: string;
let count = 0;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-conformance-'));
});
after(() => rm(directory, { recursive: true }));

describeStorage(
  'sqlite',
  async () => {
    const path = join(directory, `${++count}.db`);
    const open = () => openSqliteStorage({ path, dialect: 'orch' });
    return { storage: await open(), reopen: open };
  },
  { isAlone: true, isDurable: true },
);
