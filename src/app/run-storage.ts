import { countObjects, formatSize } from '../base/index.ts';
import {
  checkOptions,
  checkProgram,
  compactProgram,
  statsProgram,
  storeOptions,
} from '../config/maintenance/index.ts';
import { exitCodes } from './exit-codes.ts';
import { findStore } from './find-store.ts';
import { renderTable } from './human-table.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/**
 * `orch storage check`. Returns the exit code: a failure when the store is damaged.
 * @throws OptionsError, and what keeps the store from being read
 */
export async function runStorageCheck(
  argv: readonly string[],
  io: ProgramIo,
  signal: AbortSignal,
): Promise<number> {
  const command = await readCommand(argv, io, { program: checkProgram, specs: checkOptions });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  using store = await findStore(flags, io);
  const report = await store.maintenance.check({ isQuick: flags.quick, signal });
  const { isSound, objectCount, revision, problems } = report;
  if (flags.output === 'json') io.out(`${JSON.stringify(report, null, 2)}\n`);
  else if (isSound) io.out(`${store.name} is sound: ${countObjects(objectCount)}, revision ${revision}\n`);
  else {
    io.out(`${store.name} is damaged:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
    io.out('Stop the server and restore a backup: orch restore --force FILE\n');
  }
  return isSound ? exitCodes.success : exitCodes.failure;
}

/** `orch storage compact`. Returns the exit code. @throws OptionsError, and what keeps the store from compacting */
export async function runStorageCompact(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: compactProgram, specs: storeOptions });
  if (command === undefined) return exitCodes.success;
  using store = await findStore(command.flags, io);
  const report = await store.maintenance.compact();
  if (command.flags.output === 'json') {
    io.out(`${JSON.stringify(report, null, 2)}\n`);
  } else {
    const { compactedRevision, sizeBeforeBytes, sizeAfterBytes } = report;
    io.out(
      `${store.name}: history up to revision ${compactedRevision} is forgotten, ${formatSize(sizeBeforeBytes)} became ${formatSize(sizeAfterBytes)}\n`,
    );
  }
  return exitCodes.success;
}

/** `orch storage stats`. Returns the exit code. @throws OptionsError, and what keeps the store from answering */
export async function runStorageStats(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, { program: statsProgram, specs: storeOptions });
  if (command === undefined) return exitCodes.success;
  using store = await findStore(command.flags, io);
  const stats = await store.maintenance.stats();
  if (command.flags.output === 'json') {
    io.out(`${JSON.stringify(stats, null, 2)}\n`);
    return exitCodes.success;
  }
  const { disk, history } = stats;
  const rows = [
    ['Store', store.name],
    ['Driver', stats.driver],
    ['Dialect', stats.dialect],
    ['Objects', stats.objectCount],
    ['Size', formatSize(stats.sizeBytes)],
    ...(disk === undefined
      ? []
      : [['Disk', `${formatSize(disk.freeBytes)} free of ${formatSize(disk.sizeBytes)}`]]),
    ['Revision', stats.revision],
    ['History after', stats.compactedRevision],
    ...(history === undefined ? [] : [['History since', new Date(history.sinceMs).toISOString()]]),
  ];
  if (io.outputColumns === undefined) {
    io.out(rows.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join(''));
  } else {
    io.out(await renderTable({ rows: rows.map((row) => row.map(String)) }, io));
  }
  return exitCodes.success;
}
