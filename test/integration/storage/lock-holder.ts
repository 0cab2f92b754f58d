import { writeSync } from 'node:fs';
import { openSqliteStorage } from '../../../src/storage/sqlite/index.ts';

/** Program that opens the store at its first argument, says so, and keeps it open until it is killed. */
await openSqliteStorage({ path: process.argv[2] ?? '', dialect: 'orch' });
writeSync(1, 'open\n');
