import type { Clock, Logger } from '../../base/index.ts';
import { StorageError } from '../contract.ts';
import { compactedError } from '../storage-errors.ts';
import type { Cluster } from './cluster.ts';
import { toNumber, type WatchAnswer, type WatchedChange } from './protocol.ts';

export interface ResilientWatchOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly key: string;
  /** Exclusive. */
  readonly rangeEnd: string;
  /** Changes after this revision are delivered. */
  readonly afterRevision: number;
  /** Whole revisions, in order, each once; `revision` is the last of them. Empty after a member had no changes. */
  readonly onChanges: (changes: readonly WatchedChange[], revision: number) => void;
  /** Changes were forgotten before they were delivered. Nothing follows. */
  readonly onCompacted: (error: StorageError, compactedRevision: number) => void;
}

const firstPauseMs = 50;
const maxPauseMs = 1000;

/** One watch of etcd that goes on at another member, without gap or repetition, when its own is lost. */
export class ResilientWatch {
  readonly #options: ResilientWatchOptions;
  #position: number;
  #pauseMs = firstPauseMs;
  #isClosed = false;
  #end: () => void = () => {};
  #leave: () => void = () => {};
  #cancelTimer: () => void = () => {};

  constructor(options: ResilientWatchOptions) {
    this.#options = options;
    this.#position = options.afterRevision;
    this.#open();
  }

  /** Leaves the member, which may have stopped to deliver. */
  restart(): void {
    this.#leave();
    this.#lose(new StorageError('unavailable', 'watch fell behind'));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#end();
  }

  #open(): void {
    if (this.#isClosed) return;
    const { cluster, key, rangeEnd } = this.#options;
    const { member, stream } = cluster.openWatch();
    let parts: readonly WatchedChange[] = [];
    let isOver = false;
    this.#leave = () => cluster.leave(member);
    this.#end = () => {
      isOver = true;
      stream.cancel();
    };
    const lose = (error: Error): void => {
      if (isOver) return;
      cluster.leave(member);
      this.#lose(error);
    };
    stream.on('error', lose);
    stream.on('end', () => lose(new Error('watch was ended by the member')));
    stream.on('data', (answer: WatchAnswer) => {
      if (isOver) return;
      this.#pauseMs = firstPauseMs;
      if (answer.canceled) {
        if (toNumber(answer.compactRevision) > 0) this.#stop(toNumber(answer.compactRevision));
        else lose(new Error(`watch was cancelled: ${answer.cancelReason}`));
        return;
      }
      parts = parts.length === 0 ? answer.events : [...parts, ...answer.events];
      if (answer.fragment) return;
      const changes = parts;
      parts = [];
      this.#deliver(changes);
    });
    // From the last revision, inclusive: whether that one is compacted decides whether what follows is whole.
    const createRequest = { key, rangeEnd, startRevision: this.#position, prevKv: true, fragment: true };
    stream.write({ createRequest });
  }

  #deliver(changes: readonly WatchedChange[]): void {
    const last = changes.at(-1);
    if (last === undefined) return;
    const position = this.#position;
    const isNew = ({ kv }: WatchedChange): boolean => toNumber(kv.modRevision) > position;
    const fresh = changes.every(isNew) ? changes : changes.filter(isNew);
    if (fresh.length === 0) return;
    // What a change replaced cannot be told any more: everything before the change is forgotten.
    const cut = fresh.findLast(lacksPrevious);
    if (cut !== undefined) {
      this.#stop(toNumber(cut.kv.modRevision));
      return;
    }
    this.#position = toNumber(last.kv.modRevision);
    this.#options.onChanges(fresh, this.#position);
  }

  #stop(compactedRevision: number): void {
    this.close();
    this.#options.onCompacted(compactedError(this.#position, compactedRevision), compactedRevision);
  }

  #lose(error: Error): void {
    if (this.#isClosed) return;
    this.#end();
    this.#cancelTimer();
    const { clock, logger } = this.#options;
    logger.info('storage watch lost; restarting', { revision: this.#position, error });
    this.#cancelTimer = clock.setTimer(this.#pauseMs, () => this.#open());
    this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * 2);
  }
}

function lacksPrevious({ type, kv, prevKv }: WatchedChange): boolean {
  const isCreation = type === 0 && toNumber(kv.version) === 1;
  return !isCreation && (prevKv === undefined || prevKv === null);
}
