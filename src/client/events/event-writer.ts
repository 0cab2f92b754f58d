import type { Event } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { isReason, StatusError } from '../../machinery/errors/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { type RestClient, resourcePath, TransportError } from '../rest/index.ts';
import type { CorrelatedEvent } from './event-correlator.ts';

/** Who reports events. */
export interface EventOrigin {
  /** Such as `nodeagent`. */
  readonly component: string;
  /** The node, where one matters. */
  readonly host?: string | undefined;
}

/** Namespace of an event: that of its object, else the default one. */
const eventNamespace = ({ involved }: Pick<CorrelatedEvent, 'involved'>): string =>
  involved.namespace || 'default';

/** The event as the API has it. */
function eventObject(event: CorrelatedEvent, source: EventOrigin): Event {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {
      name: event.name,
      namespace: eventNamespace(event),
      ...(event.annotations && { annotations: event.annotations }),
    },
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
const eventPatch = (event: CorrelatedEvent): Partial<Event> => ({
  count: event.count,
  lastTimestamp: formatTime(event.atMs),
  message: event.message,
});

/** The API server that events are written to, and the component that they come from. */
export interface EventWriterOptions {
  readonly client: RestClient;
  readonly origin: EventOrigin;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Figures of release 1.20: an event that cannot be delivered is tried for two minutes. */
const maxAttempts = 12;
const retryDelayMs = 10_000;
const requestTimeoutMs = 30_000;

/** Writes one event; resolves when it is written or given up. Never rejects. */
export async function writeEvent(event: CorrelatedEvent, options: EventWriterOptions): Promise<void> {
  const { clock, logger, signal } = options;
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      await (event.count > 1 ? countOn(event, options) : create(event, options));
      return;
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = !(error instanceof TransportError) || attempt >= maxAttempts;
      if (isFinal) {
        reportLoss(logger, event, error);
        return;
      }
      if (attempt === 1) logger.info('event write failed; retrying', { error });
    }
    await pause(clock, retryDelayMs, signal);
  }
}

async function create(event: CorrelatedEvent, { client, origin, signal }: EventWriterOptions): Promise<void> {
  await client.send({
    method: 'POST',
    path: pathOf(event, undefined),
    body: eventObject(event, origin),
    timeoutMs: requestTimeoutMs,
    signal,
  });
}

/** Events live for an hour or so; one that is gone is made anew with its count. */
async function countOn(event: CorrelatedEvent, options: EventWriterOptions): Promise<void> {
  try {
    await options.client.send({
      method: 'PATCH',
      path: pathOf(event, event.name),
      contentType: 'application/strategic-merge-patch+json',
      body: eventPatch(event),
      timeoutMs: requestTimeoutMs,
      signal: options.signal,
    });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    await create(event, options);
  }
}

const pathOf = (event: CorrelatedEvent, name: string | undefined): string =>
  resourcePath({ group: '', version: 'v1', resource: 'events', namespace: eventNamespace(event), name });

/** Refusals are for operators, unless they only say that the event is there or its namespace goes. */
function reportLoss(logger: Logger, event: CorrelatedEvent, error: unknown): void {
  const fields = { event: event.name, reason: event.reason, error };
  const isExpected =
    isReason(error, 'AlreadyExists') || (error instanceof StatusError && isNamespaceEnding(error));
  if (isExpected) logger.debug('event rejected by the server', fields);
  else logger.error('event rejected by the server', fields);
}

const isNamespaceEnding = ({ status }: StatusError): boolean =>
  status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
