import type { AuditBackend } from './audit-sink.ts';
import { type EventEncoder, encodeEvent } from './encode-events.ts';
import { formatLegacyLine } from './legacy-line.ts';

/** Takes lines of the log, all of them or none. */
export type AppendLines = (lines: string) => Promise<void>;

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
    deliver: (lines) => append(`${lines.join('\n')}\n`),
  };
}
