import type { ObjectReference } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { EventQueue } from '../../client/events/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import type { AgentEvent, EventRecorder, EventSubject } from './event-recorder.ts';

/** What events are written with. */
export interface EventRecorderOptions {
  /** Undefined: events are only logged. */
  readonly client: RestClient | undefined;
  readonly config: Pick<AgentConfig, 'eventQps' | 'eventBurst'>;
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the writing; what is queued then is dropped. */
  readonly signal: AbortSignal;
}

/** A recorder whose queue can be waited for. */
export interface QueuedEventRecorder extends EventRecorder {
  /** Resolves when everything recorded so far was written or given up. */
  whenIdle(): Promise<void>;
}

/** Writes events to the API server, in order and one at a time, repeats as a count. */
export function createEventRecorder(options: EventRecorderOptions): QueuedEventRecorder {
  const { client, config, nodeName, dialect, clock, logger, signal } = options;
  const { eventQps: perSecond, eventBurst } = config;
  const queue =
    client &&
    new EventQueue({
      client,
      origin: { component: dialect.spell('nodeagent'), host: nodeName },
      limits: perSecond > 0 ? { perSecond, burst: Math.max(1, eventBurst) } : undefined,
      clock,
      logger,
      signal,
    });
  return {
    record({ about, type, reason, message, annotations }: AgentEvent): void {
      const involved = involvedObject(about, nodeName);
      logger.debug('event', {
        object: `${involved.namespace ?? ''}/${involved.name}`,
        type,
        reason,
        message,
      });
      queue?.add({ involved, type, reason, message, annotations });
    },
    whenIdle: async () => queue?.whenIdle(),
  };
}

/**
 * How an event names what it is about. The node's own uid is its name, as clients that look for the node's events expect
 * it of an agent.
 */
function involvedObject(about: EventSubject, nodeName: string): ObjectReference {
  if (about.kind === 'node') return { kind: 'Node', name: nodeName, uid: nodeName };
  const { namespace, name, uid, resourceVersion } = about.pod.metadata;
  return {
    kind: 'Pod',
    ...optional('namespace', namespace),
    ...optional('name', name),
    ...optional('uid', uid),
    apiVersion: 'v1',
    ...optional('resourceVersion', resourceVersion),
    ...optional('fieldPath', about.fieldPath),
  };
}

const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  // The one key that is set is K.
  value ? ({ [key]: value } as Partial<Record<K, string>>) : {};
