import type { DeliverEvents } from './audit-sink.ts';
import { type EventEncoder, encodeEvents } from './encode-events.ts';
import { formatLegacyLine } from './legacy-line.ts';

/** Takes lines of the log, all of them or none. */
export type AppendLines = (lines: string) => Promise<void>;

/** How events are written to a log. */
export interface LogDeliveryOptions {
  readonly append: AppendLines;
  readonly format: 'json' | 'legacy';
  readonly encoder: EventEncoder;
}

/** Writes events as lines. */
export function createLogDelivery({ append, format, encoder }: LogDeliveryOptions): DeliverEvents {
  const isText = format === 'legacy';
  return async (events) => {
    let lines = '';
    // What is too large for JSON is not written as text either.
    if (isText && encoder.limits === undefined) {
      for (const event of events) lines += `${formatLegacyLine(event)}\n`;
    } else {
      for (const { event, json } of encodeEvents(events, encoder))
        lines += `${isText ? formatLegacyLine(event) : json}\n`;
    }
    if (lines !== '') await append(lines);
  };
}
