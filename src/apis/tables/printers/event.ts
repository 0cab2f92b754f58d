import type { Event } from '../../types/core-v1.ts';
import type { Event as RegardingEvent } from '../../types/events-v1.ts';
import { ageSince } from '../age.ts';
import type { RowContext, RowPrinter } from '../row-printer.ts';

/** Rows of events of the core group. */
export const eventPrinter: RowPrinter<Event> = {
  cells: (event, context) => [
    lastSeen(event, context),
    event.type ?? '',
    event.reason ?? '',
    formatTarget(event),
    event.involvedObject.fieldPath ?? '',
    formatSource(event),
    (event.message ?? '').trim(),
    firstSeen(event, context),
    countOf(event),
    event.metadata.name ?? '',
  ],
};

/** Rows of events of the group `events`, where the same fields have other names. */
export const regardingEventPrinter: RowPrinter<RegardingEvent> = {
  cells: (event, context) =>
    eventPrinter.cells(
      {
        kind: event.kind,
        apiVersion: event.apiVersion,
        metadata: event.metadata,
        involvedObject: event.regarding,
        reason: event.reason,
        message: event.note,
        source: event.deprecatedSource,
        firstTimestamp: event.deprecatedFirstTimestamp,
        lastTimestamp: event.deprecatedLastTimestamp,
        count: event.deprecatedCount,
        type: event.type,
        eventTime: event.eventTime,
        series: event.series,
        reportingComponent: event.reportingController ?? '',
        reportingInstance: event.reportingInstance ?? '',
      },
      context,
    ),
};

function firstSeen({ firstTimestamp, eventTime }: Event, { nowMs }: RowContext): string {
  return ageSince(firstTimestamp ?? eventTime, nowMs);
}

function lastSeen(event: Event, context: RowContext): string {
  if (event.series !== undefined) return ageSince(event.series.lastObservedTime, context.nowMs);
  if (event.lastTimestamp === undefined || event.lastTimestamp === null) return firstSeen(event, context);
  return ageSince(event.lastTimestamp, context.nowMs);
}

function countOf({ series, count }: Event): number {
  if (series !== undefined) return (series.count ?? 0) + 1;
  // Events of the newer API that happened once have no count.
  return count === undefined || count === 0 ? 1 : count;
}

function formatTarget({ involvedObject: { kind = '', name = '' } }: Event): string {
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function formatSource({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance === '' ? component : `${component}, ${instance}`;
}
