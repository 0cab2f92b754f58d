import type { Lease } from '../apis/types/coordination-v1.ts';
import { asJsonObject, asText, type Clock, type Logger } from '../base/index.ts';
import { startInformer } from '../client/informer/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { followOptions } from './follow-options.ts';

/** Programs of the reference that may do the same work, and what rests then. */
const programs = {
  'controller manager': {
    record: 'orch-controller-manager',
    rests: 'controllers rest',
    goesOn: 'controllers go on',
  },
  scheduler: {
    record: 'orch-scheduler',
    rests: 'placement of pods rests',
    goesOn: 'placement of pods goes on',
  },
} as const;

/** What tells whether the reference's controller manager, or its scheduler, is at work. */
export interface OtherManagerOptions {
  /** Default: the controller manager. */
  readonly other?: keyof typeof programs | undefined;
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Ends the looking, and the work. */
  readonly signal: AbortSignal;
  /** What rests while another does the same. Runs until the signal that it is given aborts; never rejects. */
  readonly work: (signal: AbortSignal) => Promise<void>;
}

/** Holds where a record does not say for how long. Source: component-base, `config/v1alpha1/defaults.go`. */
const defaultDurationMs = 15_000;
/** Timers cannot be set for any length; a longer time is looked at again. */
const maxTimerMs = 3_600_000;

/** The parts of a leader election record that count here. Source: client-go, `tools/leaderelection/resourcelock`. */
interface ElectionRecord {
  /** All of it, to compare. */
  readonly text: string;
  readonly holder: string;
  readonly durationMs: number;
}

/** Where the manager of release 1.20 may keep its record, by `--leader-elect-resource-lock`. */
const places = [
  { group: 'coordination', resource: 'leases' },
  { group: '', resource: 'endpoints' },
  { group: '', resource: 'configmaps' },
] as const;

/**
 * Works while no controller manager, or scheduler, holds its leader election record in the system namespace, in any of the forms of
 * release 1.20, so that no two do the same. A record that is not renewed counts until its duration has passed since it
 * was last seen to change. Resolves when the signal has aborted and the work has ended.
 */
export async function workWhileAlone(options: OtherManagerOptions): Promise<void> {
  const { signal, logger, work, other = 'controller manager' } = options;
  const { rests, goesOn } = programs[other];
  const others = new ElectionRecords(options);
  const followed = followRecords(options, others);
  await followed.known;
  while (!signal.aborted) {
    if (others.holder !== undefined) {
      logger.info(`${rests}: another ${other} is at work`, { holder: others.holder });
      while (others.holder !== undefined && !signal.aborted) await others.nextChange();
      if (!signal.aborted) logger.info(`${goesOn}: no other ${other} is at work`);
      continue;
    }
    const term = new AbortController();
    const end = (): void => term.abort();
    signal.addEventListener('abort', end, { once: true });
    const working = work(term.signal);
    while (others.holder === undefined && !signal.aborted) await others.nextChange();
    end();
    signal.removeEventListener('abort', end);
    await working;
  }
  await followed.done;
}

/** Follows the records until the signal aborts. `known` when each was looked for once, or the signal has aborted. */
function followRecords(options: OtherManagerOptions, others: ElectionRecords) {
  const { dialect, other = 'controller manager' } = options;
  const follows = places.map(({ group, resource }) => {
    const known = Promise.withResolvers<void>();
    const see = (object: ApiObject): void => others.see(resource, readRecord(object, dialect));
    const common = followOptions(options);
    const informer = startInformer({
      ...common,
      resource: { group: group && dialect.group(group), version: 'v1', resource },
      namespace: dialect.systemNamespace,
      fieldSelector: `metadata.name=${dialect.spell(programs[other].record)}`,
      onAdd: see,
      onUpdate: see,
      onDelete: () => others.see(resource, undefined),
      onError: (error) => {
        // What is not served holds no records.
        if (isReason(error, 'NotFound')) known.resolve();
        common.onError?.(error);
      },
    });
    informer.whenSynced.then(known.resolve, known.resolve);
    return { known: known.promise, done: informer.done };
  });
  const done = Promise.all(follows.map((follow) => follow.done)).then(() => others.stop());
  return { known: Promise.all(follows.map(({ known }) => known)).then(() => {}), done };
}

interface SeenRecord {
  readonly text: string;
  readonly holder: string;
  readonly liveUntilMs: number;
}

/** The records as they were last seen. Times count from then, by the clock here: clocks of others do not matter. */
class ElectionRecords {
  readonly #clock: Clock;
  readonly #seen = new Map<string, SeenRecord>();
  #change = Promise.withResolvers<void>();
  #cancelTimer = (): void => {};

  constructor({ clock, signal }: OtherManagerOptions) {
    this.#clock = clock;
    signal.addEventListener('abort', () => this.#notify(), { once: true });
  }

  /** Who holds a record that is live; undefined for nobody. */
  get holder(): string | undefined {
    const nowMs = this.#clock.nowMs();
    for (const { holder, liveUntilMs } of this.#seen.values()) if (liveUntilMs > nowMs) return holder;
    return undefined;
  }

  /** The record in a place has changed. */
  see(place: string, record: ElectionRecord | undefined): void {
    if (record === undefined || record.holder === '') this.#seen.delete(place);
    else {
      const { text, holder, durationMs } = record;
      if (this.#seen.get(place)?.text === text) return;
      this.#seen.set(place, { text, holder, liveUntilMs: this.#clock.nowMs() + durationMs });
    }
    this.#notify();
  }

  /** Resolves when the holder may be another. */
  nextChange(): Promise<void> {
    return this.#change.promise;
  }

  stop(): void {
    this.#cancelTimer();
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
    this.#cancelTimer();
    const nowMs = this.#clock.nowMs();
    const lastMs = Math.max(...[...this.#seen.values()].map(({ liveUntilMs }) => liveUntilMs));
    if (lastMs <= nowMs) return;
    this.#cancelTimer = this.#clock.setTimer(Math.min(lastMs - nowMs, maxTimerMs), () => this.#notify());
  }
}

/** The record of a lease, or that which other objects carry in an annotation; undefined where there is none. */
function readRecord(object: ApiObject, dialect: Dialect): ElectionRecord | undefined {
  if ('spec' in object) {
    // Of the three kinds only leases have a specification; the server checked its fields.
    const spec = object.spec as Lease['spec'];
    const { holderIdentity = '', leaseDurationSeconds } = spec;
    return {
      text: JSON.stringify(spec),
      holder: holderIdentity,
      durationMs: durationOf(leaseDurationSeconds),
    };
  }
  const text = object.metadata.annotations?.[dialect.domain('control-plane.alpha', 'leader')];
  if (text === undefined) return undefined;
  try {
    const { holderIdentity, leaseDurationSeconds } = asJsonObject(JSON.parse(text));
    return { text, holder: asText(holderIdentity), durationMs: durationOf(leaseDurationSeconds) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // nor could the manager whose record it is meant to be read it
  }
}

function durationOf(seconds: unknown): number {
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : defaultDurationMs;
}
