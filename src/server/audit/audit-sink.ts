import type { PendingEvent } from './audit-event.ts';
import type { EventBatch } from './event-batch.ts';
import type { LossLog } from './loss-log.ts';

/** Takes events on their way to the log or the webhook. */
export interface AuditSink {
  /** Whether requests wait until their events are recorded. */
  readonly isAwaited: boolean;
  /**
   * Undefined: the event is recorded later, or lost. Else resolves when it is recorded, or lost; to false when it had to
   * be recorded and could not. Never rejects.
   */
  record(event: PendingEvent): Promise<boolean> | undefined;
  /** Records what waits. */
  close(): Promise<void>;
}

/** Where events go: a log, or a webhook. */
export interface AuditBackend {
  /** The event as text, so that nothing of its request is held longer; undefined when it is lost, which was noted. */
  encode(event: PendingEvent): string | undefined;
  /** What encoded events are put into that are recorded together. */
  startBatch(): EventBatch;
}

/** What a sink that requests wait for needs. */
export interface BlockingSinkOptions {
  readonly backend: AuditBackend;
  readonly losses: LossLog;
  /** Whether a request must not go on when its event cannot be recorded. */
  readonly isStrict: boolean;
}

/** Requests wait for each event (modes `blocking` and `blocking-strict`). */
export function createBlockingSink({ backend, losses, isStrict }: BlockingSinkOptions): AuditSink {
  const under = new Set<Promise<boolean>>();
  const record = async (event: PendingEvent): Promise<boolean> => {
    try {
      const text = backend.encode(event);
      if (text === undefined) return true;
      const batch = backend.startBatch();
      batch.add(text);
      await batch.deliver();
      return true;
    } catch (error) {
      losses.add(1, error);
      return !isStrict;
    }
  };
  return {
    isAwaited: true,
    record(event) {
      const recorded = record(event);
      under.add(recorded);
      void recorded.then(() => under.delete(recorded));
      return recorded;
    },
    async close() {
      await Promise.all(under);
    },
  };
}

/** Each event goes to all sinks. */
export function joinSinks(sinks: readonly AuditSink[]): AuditSink {
  const [only] = sinks;
  if (sinks.length === 1 && only !== undefined) return only;
  return {
    isAwaited: sinks.some(({ isAwaited }) => isAwaited),
    record(event) {
      const recorded = sinks.map((sink) => sink.record(event)).filter((promise) => promise !== undefined);
      if (recorded.length === 0) return undefined;
      return Promise.all(recorded).then((all) => all.every((isRecorded) => isRecorded));
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}
