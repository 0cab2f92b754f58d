import { Worker } from 'node:worker_threads';
import { StorageError } from '../contract.ts';
import type { DatabaseReport } from './check-file.ts';
import type { Failure, VacuumResult } from './messages.ts';
import type { RestoreResult, RestoreTask } from './restore-file.ts';

/** What can be done to a file that no store holds. `publish` finishes a backup, checks it and gives it its name. */
export type MaintenanceTask =
  | { readonly kind: 'check'; readonly path: string }
  | { readonly kind: 'vacuum'; readonly path: string }
  | ({ readonly kind: 'restore' } & RestoreTask)
  | ({ readonly kind: 'publish' } & PublishTask);

export interface PublishTask {
  /** The copied pages. */
  readonly partial: string;
  readonly path: string;
  /** File of the store that was copied. */
  readonly source: string;
  /** Counters of the store when it was copied. */
  readonly revision: number;
  readonly objectCount: number;
}

interface MaintenanceResults {
  readonly check: DatabaseReport;
  readonly vacuum: VacuumResult;
  readonly restore: RestoreResult;
  readonly publish: DatabaseReport;
}

type TaskReply = { readonly result: unknown } | { readonly failure: Failure };

/**
 * Does a task in a thread of its own, as it may take long.
 *
 * @throws StorageError of the task, or the reason of the signal once the thread has stopped.
 */
export async function runMaintenance<Kind extends MaintenanceTask['kind']>(
  task: Extract<MaintenanceTask, { readonly kind: Kind }>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<MaintenanceResults[Kind]> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./maintenance-worker.ts', import.meta.url), {
    workerData: task,
    name: 'storage-maintenance',
  });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    const reply = await replyOf(worker);
    signal?.throwIfAborted();
    if ('failure' in reply) throw new StorageError(reply.failure.code, reply.failure.message);
    // The thread answers a task with the result of its kind.
    return reply.result as MaintenanceResults[Kind];
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Resolves when the thread has ended, so that nothing is touched afterwards. */
function replyOf(worker: Worker): Promise<TaskReply> {
  return new Promise((resolve, reject) => {
    let reply: TaskReply | undefined;
    worker.once('message', (message: TaskReply) => {
      reply = message;
    });
    worker.once('error', (cause) =>
      reject(new StorageError('unavailable', 'storage thread failed', { cause })),
    );
    worker.once('exit', () => {
      if (reply === undefined) reject(new StorageError('unavailable', 'storage thread ended early'));
      else resolve(reply);
    });
  });
}
