import type { Clock } from '../../base/index.ts';
import { VolumeError, type VolumeEvent } from './volume-error.ts';

/** Why one volume is not ready. */
export interface VolumeFailure {
  /** In the pod. */
  readonly volumeName: string;
  /** What the volume is could not be found out; the pod as a whole is reported at once. */
  readonly isUnknown: boolean;
  /** Name of its kind, when that is known. */
  readonly plugin: string | undefined;
  readonly event: VolumeEvent;
  /** It waits for others: no event but the pod's summary, and it is looked at again soon. */
  readonly isQuiet?: boolean;
  readonly cause: unknown;
}

/** Rate limit of the events about volumes that are not ready: the same message is repeated only after growing pauses. */
export interface MountFailures {
  /** The error of a pod some of whose volumes, all of which are in `expected`, are not ready. */
  report(podUid: string, expected: readonly string[], failures: readonly VolumeFailure[]): VolumeError;
  /** The pod's volumes are ready, or it has gone. */
  forget(podUid: string): void;
}

interface Said {
  readonly message: string;
  readonly delayMs: number;
  readonly nextAtMs: number;
}

interface Memory {
  readonly volumes: Map<string, Said>;
  /** Time and message of the last summary about the pod; at first, the time at which it began to wait. */
  summarizedAtMs: number;
  summary: string;
}

const firstDelayMs = 500;
const maxDelayMs = 122_000;
/** Most time between looks at what others do. */
const maxQuietMs = 4000;
/** How long a pod waits before an event says which volumes it waits for (release 1.20: 2 min 3 s). */
const summaryMs = 123_000;
/** Pause before something that could not be found out is requested again. */
const unknownMs = 10_000;

/** An empty memory. */
export function createMountFailures(clock: Clock): MountFailures {
  const pods = new Map<string, Memory>();
  return {
    report(podUid, expected, failures) {
      const nowMs = clock.nowMs();
      const memory = pods.get(podUid) ?? { volumes: new Map(), summarizedAtMs: nowMs, summary: '' };
      pods.set(podUid, memory);
      const failed = new Set(failures.map(({ volumeName }) => volumeName));
      for (const name of memory.volumes.keys()) if (!failed.has(name)) memory.volumes.delete(name);
      const known = failures.filter(({ isUnknown }) => !isUnknown);
      const events = known
        .filter((failure) => mustSay(memory, failure, nowMs) && failure.isQuiet !== true)
        .map(({ event }) => event);
      const unknown = failures.filter(({ isUnknown }) => isUnknown);
      const summary = summarize(expected, failed, unknown);
      const waitMs = unknown.length > 0 ? unknownMs : summaryMs;
      const isNews = unknown.length > 0 && summary !== memory.summary;
      if (isNews || nowMs - memory.summarizedAtMs >= waitMs) {
        Object.assign(memory, { summary, summarizedAtMs: nowMs });
        events.push({ reason: 'FailedMount', message: summary });
      }
      const nextAtMs = Math.min(
        memory.summarizedAtMs + waitMs,
        ...Array.from(memory.volumes.values(), (said) => said.nextAtMs),
      );
      const retryAfterMs = Math.max(nextAtMs - nowMs, 0);
      return new VolumeError(summary, { events, retryAfterMs, cause: failures[0]?.cause });
    },
    forget: (podUid) => void pods.delete(podUid),
  };
}

function mustSay({ volumes }: Memory, failure: VolumeFailure, nowMs: number): boolean {
  const { volumeName, event, isQuiet } = failure;
  const longestMs = isQuiet === true ? maxQuietMs : maxDelayMs;
  const said = volumes.get(volumeName);
  const isDue = said === undefined || nowMs >= said.nextAtMs;
  if (!isDue && said.message === event.message) return false;
  const delayMs = said === undefined ? firstDelayMs : Math.min(said.delayMs * 2, longestMs);
  volumes.set(volumeName, { message: event.message, delayMs, nextAtMs: nowMs + delayMs });
  return true;
}

function summarize(
  expected: readonly string[],
  failed: ReadonlySet<string>,
  unknown: readonly VolumeFailure[],
): string {
  const messages = new Set(unknown.map(({ event }) => event.message));
  const why = messages.size === 0 ? 'timed out waiting for the condition' : [...messages].join('; ');
  const unmounted = expected.filter((name) => failed.has(name)).join(' ');
  const lists = `unmounted volumes=[${unmounted}], unattached volumes=[${expected.join(' ')}]`;
  return `Unable to attach or mount volumes: ${lists}: ${why}`;
}
