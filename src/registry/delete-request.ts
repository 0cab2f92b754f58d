import type { Status } from '../machinery/errors/index.ts';
import type { WriteOptions } from './resource-store.ts';

/** `DeleteOptions` as the verbs use them. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** Older form of the policy; true is Orphan, false is Background. */
  readonly orphanDependents?: boolean | undefined;
}

/** A deletion of one object. */
export interface DeleteRequest {
  readonly namespace: string;
  readonly name: string;
  readonly deleteOptions: DeleteOptions;
  readonly options: WriteOptions;
}

/** What a deletion answers: the object in its storage version, or a Status. */
export type DeleteResult =
  | { readonly kind: 'object'; readonly bytes: Buffer; readonly wasRemoved: boolean }
  | { readonly kind: 'status'; readonly status: Status; readonly wasRemoved: boolean };
