import type { Event } from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { CorrelatedEvent } from './event-correlator.ts';

/** Who reports events. */
export interface EventOrigin {
  /** Such as `nodeagent`. */
  readonly component: string;
  readonly host: string;
}

/** Namespace of an event: that of its object, else the default one. */
export const eventNamespace = ({ involved }: Pick<CorrelatedEvent, 'involved'>): string =>
  involved.namespace || 'default';

/** The event as the API has it. */
export function eventObject(event: CorrelatedEvent, source: EventOrigin): Event {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: event.name, namespace: eventNamespace(event) },
    involvedObject: event.involved,
    reason: event.reason,
    message: event.message,
    source: { ...source },
    firstTimestamp: formatTime(event.firstAtMs),
    lastTimestamp: formatTime(event.atMs),
    count: event.count,
    type: event.type,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };
}

/** What changes of an event that is counted on. */
export const eventPatch = (event: CorrelatedEvent): Partial<Event> => ({
  count: event.count,
  lastTimestamp: formatTime(event.atMs),
  message: event.message,
});
