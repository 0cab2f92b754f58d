import { Worker } from 'node:worker_threads';
import { StorageError } from '../contract.ts';
import { closedError } from '../storage-errors.ts';
import type {
  OpenedStore,
  OpenReply,
  WorkerOptions,
  WorkerReply,
  WorkerRequest,
  WorkerResults,
} from './messages.ts';

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StorageError) => void;
}

export interface OpenedWorker extends OpenedStore {
  readonly client: WorkerClient;
}

/**
 * Starts the thread that owns the database.
 *
 * @throws StorageError when the database cannot be opened.
 */
export async function startWorker(options: WorkerOptions): Promise<OpenedWorker> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: options,
    name: 'storage',
  });
  const reply = await firstReply(worker);
  if ('failure' in reply) throw new StorageError(reply.failure.code, reply.failure.message);
  return { client: new WorkerClient(worker), ...reply };
}

/** Calls the worker. Answers come in the order of the calls, but for compactions. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 1;
  #failure: StorageError | undefined;
  /** Called once if the thread ends without having been asked to. */
  onLost: (error: StorageError) => void = () => {};

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: WorkerReply) => this.#settle(reply));
    worker.on('error', (error) =>
      this.#lose(new StorageError('unavailable', 'storage thread failed', { cause: error })),
    );
    worker.on('exit', () => this.#lose(new StorageError('unavailable', 'storage thread ended')));
  }

  /** Calls `resolve` with the answer before any later answer is looked at. */
  send<Kind extends WorkerRequest['kind']>(
    request: Extract<WorkerRequest, { readonly kind: Kind }>,
    settle: {
      readonly resolve: (result: WorkerResults[Kind]) => void;
      readonly reject: (error: StorageError) => void;
    },
    transfer: ArrayBuffer[] = [],
  ): void {
    if (this.#failure !== undefined) {
      settle.reject(this.#failure);
      return;
    }
    const id = this.#nextId++;
    // The worker answers a request with the result of its kind.
    this.#pending.set(id, { ...settle, resolve: settle.resolve as PendingCall['resolve'] });
    this.#worker.postMessage({ id, request }, transfer);
  }

  /** @throws StorageError that the worker reports, or `unavailable` when it is gone. */
  call<Kind extends WorkerRequest['kind']>(
    request: Extract<WorkerRequest, { readonly kind: Kind }>,
  ): Promise<WorkerResults[Kind]> {
    return new Promise((resolve, reject) => this.send<Kind>(request, { resolve, reject }));
  }

  /** Closes the database and ends the thread. */
  async close(): Promise<void> {
    this.onLost = () => {};
    try {
      await this.call<'close'>({ kind: 'close' });
    } finally {
      // A compaction that the worker has given up may not have been answered yet.
      this.#lose(closedError());
      await this.#worker.terminate();
    }
  }

  #settle(reply: WorkerReply): void {
    const call = this.#pending.get(reply.id);
    if (call === undefined) return;
    this.#pending.delete(reply.id);
    if ('failure' in reply) call.reject(new StorageError(reply.failure.code, reply.failure.message));
    else call.resolve(reply.result);
  }

  #lose(error: StorageError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const call of this.#pending.values()) call.reject(error);
    this.#pending.clear();
    this.onLost(error);
  }
}

function firstReply(worker: Worker): Promise<OpenReply> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown): void =>
      reject(new StorageError('unavailable', 'storage thread did not start', { cause }));
    worker.once('error', fail);
    worker.once('exit', fail);
    worker.once('message', (reply: OpenReply) => {
      worker.off('error', fail);
      worker.off('exit', fail);
      resolve(reply);
    });
  });
}
