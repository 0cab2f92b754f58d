import type { Pod } from '../../apis/types/core-v1.ts';

/** What an event is about. The node needs no more than its name, which the recorder has. */
export type EventSubject =
  | {
      readonly kind: 'pod';
      readonly pod: Pod;
      /** Part of the pod, such as `spec.containers{web}` (`containerFieldPath`). */
      readonly fieldPath?: string | undefined;
    }
  | { readonly kind: 'node' };

/** Something that operators should see beside the object that it is about. */
export interface AgentEvent {
  readonly about: EventSubject;
  readonly type: 'Normal' | 'Warning';
  /** One word, such as `Started`. */
  readonly reason: string;
  readonly message: string;
  /** For programs that read events. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Takes events; never blocks and never fails. */
export interface EventRecorder {
  record(event: AgentEvent): void;
}

/** Where events say that they are about one container of a pod. */
export const containerFieldPath = (
  list: 'containers' | 'initContainers' | 'ephemeralContainers',
  name: string,
): string => `spec.${list}{${name}}`;
