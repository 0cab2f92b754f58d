import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { renameDurably } from '../../base/index.ts';
import { checkFile, type DatabaseReport } from './check-file.ts';
import { DatabaseFailure, toFailure } from './failure.ts';
import { withDatabase } from './file-database.ts';
import { finishCopy } from './finish-copy.ts';
import type { MaintenanceTask, PublishTask } from './maintenance-task.ts';
import { restoreFile } from './restore-file.ts';
import { vacuumFile } from './vacuum-file.ts';

/** Program of a thread that does one task on a file that no store holds, and ends. */
async function runTask(port: MessagePort, task: MaintenanceTask): Promise<void> {
  try {
    port.postMessage({ result: await perform(task) });
  } catch (error) {
    port.postMessage({ failure: toFailure(error) });
  }
}

async function perform(task: MaintenanceTask): Promise<unknown> {
  switch (task.kind) {
    case 'check':
      return checkFile(task.path);
    case 'vacuum':
      return vacuumFile(task.path);
    case 'restore':
      return restoreFile(task);
    case 'publish':
      return publishCopy(task);
  }
}

async function publishCopy({ partial, path, ...expected }: PublishTask): Promise<DatabaseReport> {
  const report = await withDatabase(partial, (database) => finishCopy(database, expected.source));
  if (report.revision !== expected.revision || report.objectCount !== expected.objectCount) {
    const text = `database "${expected.source}" is damaged: a copy of it has other counts`;
    throw new DatabaseFailure('corrupt', text);
  }
  await renameDurably(partial, path);
  return report;
}

if (parentPort !== null) await runTask(parentPort, workerData as MaintenanceTask);
