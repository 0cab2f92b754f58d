import type { AuditBackend } from './audit-sink.ts';
import { type EventEncoder, encodeEvent } from './encode-events.ts';
import { type AppendLines, lineBatches } from './event-batch.ts';
import { formatLegacyLine } from './legacy-line.ts';

/** How events are written to a log. */
export interface LogBackendOptions {
  readonly append: AppendLines;
  readonly format: 'json' | 'legacy';
  readonly encoder: EventEncoder;
}

/** Writes events as lines. */
export function createLogBackend({ append, format, encoder }: LogBackendOptions): AuditBackend {
  return {
    encode(event) {
      if (format === 'json') return encodeEvent(event, encoder);
      // What is too large for JSON is not written as text either.
      const isLost = encoder.limits !== undefined && encodeEvent(event, encoder) === undefined;
      return isLost ? undefined : formatLegacyLine(event);
    },
    startBatch: lineBatches(append),
  };
}
