import type { Pod } from '../../apis/types/core-v1.ts';

/** What image work tells about: a container of a pod, or the node. */
export type ImageEventSubject =
  | { readonly kind: 'pod'; readonly pod: Pod; readonly fieldPath: string }
  | { readonly kind: 'node' };

/** The part of an event recorder that image work needs. Never throws, never blocks. */
export interface ImageEvents {
  record(event: {
    readonly about: ImageEventSubject;
    readonly type: 'Normal' | 'Warning';
    readonly reason: string;
    readonly message: string;
  }): void;
}
