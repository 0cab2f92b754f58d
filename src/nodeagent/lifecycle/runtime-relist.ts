import type { Clock, Logger } from '../../base/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { PodViews, RuntimeListing } from './pod-views.ts';

/** How often the runtime is asked what it has, as often as release 1.20 does. */
const periodMs = 1000;
/** A runtime that lists nothing for so long keeps the node from being ready, as in release 1.20. */
const lateAfterMs = 180_000;

/** Where listings of the runtime come from, and who is notified of them. Handlers must not throw. */
export interface RuntimeRelistOptions {
  readonly views: Pick<PodViews, 'list' | 'podUidOf'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the relists. */
  readonly signal: AbortSignal;
  /** Called for each pod of which something came, went or changed its state. */
  readonly onChange: (podUid: string) => void;
  /** Called with each listing, before the pods that changed are named. */
  readonly onListing: (listing: RuntimeListing) => void;
  /** Called when there is an answer again, or the first one, and `problem` has gone. */
  readonly onRecovered: () => void;
  /** Called at the end of each relist, whatever came of it. */
  readonly onRelist: (relist: RelistResult) => void;
}

/** How a relist went. */
export interface RelistResult {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Since the start of the relist before; undefined for the first one. */
  readonly intervalMs: number | undefined;
  readonly hasAnswered: boolean;
}

/**
 * Asks the runtime every second what it has and tells whose pods changed, as the pod lifecycle event generator (PLEG)
 * of release 1.20. An answer that does not come is asked for again; changes since then are reported by the next one.
 */
export class RuntimeRelist {
  readonly #options: RuntimeRelistOptions;
  #listing: RuntimeListing = { sandboxes: [], containers: [] };
  #answeredAtMs: number | undefined;
  #failure: unknown;
  #states = new Map<string, string>();
  #lastStartMs: number | undefined;
  readonly #answered = Promise.withResolvers<void>();
  #cancelTimer = (): void => {};

  constructor(options: RuntimeRelistOptions) {
    this.#options = options;
  }

  /** Resolves when the runtime has answered for the first time. */
  get whenAnswered(): Promise<void> {
    return this.#answered.promise;
  }

  /** When the runtime last answered (ms since 1970); undefined before it ever did. */
  get answeredAtMs(): number | undefined {
    return this.#answeredAtMs;
  }

  /** Why it did not answer when it was asked last; undefined when it did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Why pods cannot be followed, in release 1.20's words; undefined while the runtime answers often enough. */
  get problem(): string | undefined {
    if (this.#answeredAtMs === undefined) return 'PLEG is not healthy: pleg has yet to be successful';
    const ageMs = this.#options.clock.nowMs() - this.#answeredAtMs;
    if (ageMs <= lateAfterMs) return undefined;
    const [age, limit] = [ageMs, lateAfterMs].map(formatDurationMs);
    return `PLEG is not healthy: pleg was last seen active ${age} ago; threshold is ${limit}`;
  }

  /** What the last answer had; nothing before the first one. */
  get listing(): RuntimeListing {
    return this.#listing;
  }

  /** Begins at once. To be called once. */
  start(): void {
    this.#options.signal.addEventListener('abort', () => this.#cancelTimer(), { once: true });
    void this.#relist();
  }

  async #relist(): Promise<void> {
    const { clock, signal, onRelist } = this.#options;
    const startedAtMs = clock.nowMs();
    try {
      await this.#list();
      if (signal.aborted) return;
    } catch (error) {
      this.#fail(error);
    }
    onRelist({
      startedAtMs,
      durationMs: clock.nowMs() - startedAtMs,
      intervalMs: this.#lastStartMs === undefined ? undefined : startedAtMs - this.#lastStartMs,
      hasAnswered: this.#failure === undefined,
    });
    this.#lastStartMs = startedAtMs;
    if (!signal.aborted) this.#cancelTimer = clock.setTimer(periodMs, () => void this.#relist());
  }

  async #list(): Promise<void> {
    const { views, clock, logger, signal, onListing, onChange, onRecovered } = this.#options;
    const listing = await views.list();
    const before = this.problem;
    if (this.#failure !== undefined) logger.info('container runtime list recovered');
    this.#listing = listing;
    this.#answeredAtMs = clock.nowMs();
    this.#failure = undefined;
    if (signal.aborted) return;
    const next = readStates(listing, views);
    onListing(listing);
    for (const uid of changedPods(this.#states, next)) onChange(uid);
    this.#states = next;
    this.#answered.resolve();
    if (before !== undefined) onRecovered();
  }

  #fail(error: unknown): void {
    const { logger, signal } = this.#options;
    if (this.#failure === undefined && !signal.aborted) {
      logger.error('container runtime list failed', { error });
    }
    this.#failure = error;
  }
}

/** Per pod one text that says which of its sandboxes and containers are in which state. */
function readStates(
  { sandboxes, containers }: RuntimeListing,
  views: Pick<PodViews, 'podUidOf'>,
): Map<string, string> {
  const states = new Map<string, string>();
  for (const each of [...sandboxes, ...containers].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const uid = views.podUidOf(each);
    states.set(uid, `${states.get(uid) ?? ''}${each.id}=${each.state};`);
  }
  return states;
}

function changedPods(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Set<string> {
  const changed = new Set<string>();
  for (const [uid, state] of after) if (before.get(uid) !== state) changed.add(uid);
  for (const uid of before.keys()) if (!after.has(uid)) changed.add(uid);
  return changed;
}
