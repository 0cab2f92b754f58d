import type { Status } from '../machinery/errors/index.ts';
import type { CachedObject } from '../storage/watch-cache/index.ts';
import type { DeleteOptions } from './admission.ts';
import type { WriteOptions } from './resource-store.ts';

/** A deletion of one object. */
export interface DeleteRequest {
  readonly namespace: string;
  readonly name: string;
  readonly deleteOptions: DeleteOptions;
  readonly options: WriteOptions;
  /** Whether a whole collection is being deleted: admission is told no names then. */
  readonly isOfCollection?: boolean | undefined;
  /** Admission has had its say already, on another request. */
  readonly isAdmitted?: boolean | undefined;
}

/** What a deletion answers: the object in its storage version, or a Status. */
export type DeleteResult =
  | {
      readonly kind: 'object';
      readonly bytes: Buffer;
      readonly wasRemoved: boolean;
      /** The cached object that has these bytes, if there is one: what is shown of it may be known. */
      readonly cached?: CachedObject | undefined;
    }
  | { readonly kind: 'status'; readonly status: Status; readonly wasRemoved: boolean };
