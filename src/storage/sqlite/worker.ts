import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { RevisionMark } from '../history-compaction.ts';
import { BackupCopier } from './backup-copier.ts';
import { BatchWriter } from './batch-writer.ts';
import { Compactor } from './compactor.ts';
import { toFailure } from './failure.ts';
import { Checkpointer, FreePageReleaser } from './file-upkeep.ts';
import type { OpenReply, StatsResult, WorkerCall, WorkerOptions, WorkerRequest } from './messages.ts';
import type { Meta } from './meta.ts';
import { closeDatabase, type OpenedDatabase, openDatabase } from './open-database.ts';
import { ExpiryReader, HistoryReader, ObjectVerifier } from './page-readers.ts';
import { RangeReader } from './range-reader.ts';
import { readState } from './store-state.ts';
import { vacuum } from './vacuum-file.ts';

/** Program of the thread that owns the database connection. It answers requests one by one, in order. */
function runWorker(port: MessagePort, options: WorkerOptions): void {
  let answer: (request: WorkerRequest) => unknown;
  let checkpointer: Checkpointer;
  try {
    const opened = openDatabase(options);
    const state = readState(opened.database, opened.meta);
    checkpointer = new Checkpointer(opened.database, opened.guard);
    answer = createAnswer(opened, state, port);
    const nextExpiryMs = new ExpiryReader(opened.database).nextAfter(-1);
    const { isUnchecked } = opened;
    const { revision } = state;
    const marks = readMarks(opened.meta, revision);
    port.postMessage({ revision, nextExpiryMs, isUnchecked, marks } satisfies OpenReply);
  } catch (error) {
    port.postMessage({ failure: toFailure(error) });
    port.close();
    return;
  }
  port.on('message', ({ id, request }: WorkerCall) => {
    const fail = (error: unknown): void => port.postMessage({ id, failure: toFailure(error) });
    const succeed = (result: unknown): void => port.postMessage({ id, result }, transferable(result));
    try {
      const result = answer(request);
      if (result instanceof Promise) result.then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
    if (request.kind === 'write') checkpointer.run();
  });
}

/** Puts the parts of an open database together. Long: one line for each kind of request. */
function createAnswer(
  opened: OpenedDatabase,
  state: ReturnType<typeof readState>,
  port: MessagePort,
): (request: WorkerRequest) => unknown {
  const { database, meta, guard } = opened;
  const writer = new BatchWriter(database, state);
  const ranges = new RangeReader(database, state);
  const history = new HistoryReader(database, state);
  const expiry = new ExpiryReader(database);
  const pages = database
    .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    .pluck();
  const stats = (): StatsResult => ({
    revision: state.revision,
    compactedRevision: state.compacted,
    objectCount: state.objectCount,
    sizeBytes: Number(pages.get()),
  });
  const objects = new ObjectVerifier(database);
  const backup = new BackupCopier(database);
  const releaser = new FreePageReleaser({ database, guard }, () => backup.isRunning);
  const compactor = new Compactor({ database, meta, state }, () => releaser.start());
  compactor.resume();
  return (request) => {
    switch (request.kind) {
      case 'write':
        guard.check();
        return writer.write(request);
      case 'get':
        return ranges.get(request.key, request.revision);
      case 'range':
        return ranges.range(request);
      case 'history':
        return history.read(request);
      case 'keep-marks':
        meta.set('revisionMarks', JSON.stringify(request.marks));
        return undefined;
      case 'compact':
        return compactor.compact(request.revision);
      case 'advance':
        return compactor.advance(request.revision);
      case 'expired':
        return expiry.read(request);
      case 'backup':
        return backup.copyTo(request.path).then(stats);
      case 'cancel-backup':
        backup.cancel();
        return undefined;
      case 'verify':
        return objects.verify(request);
      case 'probe':
        guard.check();
        probeWrite(meta);
        return undefined;
      case 'vacuum':
        guard.allowShrink();
        return vacuum(database);
      case 'stats':
        return stats();
      case 'close':
        compactor.stop();
        releaser.stop();
        closeDatabase(opened);
        port.unref();
        return undefined;
    }
  };
}

/** What a process kept of this very history; nothing of one that the file does not have. */
function readMarks(meta: Meta, revision: number): readonly RevisionMark[] {
  // Only `keep-marks` writes it.
  const marks = JSON.parse(meta.get('revisionMarks') ?? '[]') as readonly RevisionMark[];
  return marks.filter((mark) => mark.revision <= revision);
}

/** The buffer of packed values moves to the other thread instead of being copied. */
function transferable(result: unknown): ArrayBuffer[] {
  if (typeof result !== 'object' || result === null || !('values' in result)) return [];
  // Only pages and batch results have `values`, and there they are packed.
  return [(result as { readonly values: { readonly bytes: ArrayBuffer } }).values.bytes];
}

if (parentPort !== null) runWorker(parentPort, workerData as WorkerOptions);

/** About what a few objects take. */
const probeBytes = 64 * 1024;

/** Writes and removes some pages, durably. @throws what the library throws when that cannot be done. */
function probeWrite(meta: Meta): void {
  meta.set('probe', Buffer.alloc(probeBytes));
  meta.set('probe', 0);
}
