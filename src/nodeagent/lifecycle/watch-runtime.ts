import type { Clock, Logger } from '../../base/index.ts';
import type { PodViews, RuntimeListing } from './pod-views.ts';

/** How often the runtime is asked what it has; the reference asks as often. */
const periodMs = 1000;

export interface WatchRuntimeOptions {
  readonly views: PodViews;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called for each pod of which something came, went or changed its state. */
  readonly onChange: (podUid: string) => void;
  /** Called with each listing, first ones of pods included. */
  readonly onListing?: ((listing: RuntimeListing) => void) | undefined;
  /** Called at the end of each look, whatever came of it. */
  readonly onLook?: ((look: RuntimeLook) => void) | undefined;
}

/** How a look at the runtime went. */
export interface RuntimeLook {
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** Since the start of the look before; undefined for the first one. */
  readonly intervalMs: number | undefined;
  readonly hasAnswered: boolean;
}

/** What the agent knows of the runtime from its last answer. */
export interface RuntimeWatch {
  /** When the runtime last answered; undefined before it ever did. */
  readonly answeredAtMs: number | undefined;
  /** Why it did not answer when it was asked last; undefined when it did. */
  readonly failure: unknown;
  readonly listing: RuntimeListing;
}

/**
 * Asks the runtime every second what it has and tells whose pods changed. An answer that does not come is asked for
 * again; changes of the meantime are told then.
 */
export function watchRuntime(options: WatchRuntimeOptions): RuntimeWatch {
  const { views, clock, logger, signal } = options;
  const watch: { -readonly [K in keyof RuntimeWatch]: RuntimeWatch[K] } = {
    answeredAtMs: undefined,
    failure: undefined,
    listing: { sandboxes: [], containers: [] },
  };
  let states = new Map<string, string>();
  let cancelTimer = (): void => {};
  let lastStartMs: number | undefined;

  const look = async (): Promise<void> => {
    const startedAtMs = clock.nowMs();
    try {
      const listing = await views.list();
      if (watch.failure !== undefined) logger.info('the container runtime answers again');
      watch.listing = listing;
      watch.answeredAtMs = clock.nowMs();
      watch.failure = undefined;
      if (signal.aborted) return;
      const next = readStates(listing, views);
      options.onListing?.(listing);
      for (const uid of changedPods(states, next)) options.onChange(uid);
      states = next;
    } catch (error) {
      if (watch.failure === undefined && !signal.aborted) {
        logger.error('the container runtime does not answer', { error });
      }
      watch.failure = error;
    }
    options.onLook?.({
      startedAtMs,
      durationMs: clock.nowMs() - startedAtMs,
      intervalMs: lastStartMs === undefined ? undefined : startedAtMs - lastStartMs,
      hasAnswered: watch.failure === undefined,
    });
    lastStartMs = startedAtMs;
    if (!signal.aborted) cancelTimer = clock.setTimer(periodMs, () => void look());
  };
  signal.addEventListener('abort', () => cancelTimer(), { once: true });
  void look();
  return watch;
}

/** Per pod one text that says which of its sandboxes and containers are in which state. */
function readStates({ sandboxes, containers }: RuntimeListing, views: PodViews): Map<string, string> {
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
