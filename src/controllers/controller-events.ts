import type { Clock, Logger } from '../base/index.ts';
import { EventQueue } from '../client/events/index.ts';
import type { RestClient } from '../client/rest/index.ts';

/** What an event is about. Lists do not say the kind of their objects, so that controllers do. */
export interface EventObject {
  /** Empty where release 1.20 does not say. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /** Empty where release 1.20 does not say, or nothing is there yet. */
  readonly uid: string;
  readonly resourceVersion?: string | undefined;
}

/** Records what a controller did, for operators. Never blocks and never fails. */
export interface ControllerEvents {
  record(about: EventObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
}

interface ControllerEventsOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The events of one component, such as `deployment-controller`. */
export function createControllerEvents(
  options: ControllerEventsOptions,
  component: string,
): ControllerEvents {
  const queue = new EventQueue({ ...options, origin: { component } });
  return {
    record({ apiVersion, kind, namespace, name, uid, resourceVersion }, type, reason, message) {
      const involved = {
        kind,
        ...(namespace === '' ? {} : { namespace }),
        name,
        ...(uid === '' ? {} : { uid }),
        ...(apiVersion === '' ? {} : { apiVersion }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      };
      queue.add({ involved, type, reason, message });
    },
  };
}
