import type { WriteRules } from '../../apis/kind-rules.ts';
import type { Steps } from '../../base/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ObjectView } from '../object-forms.ts';
import type { WriteOptions } from '../resource-store.ts';
import type { CreationPlan } from './create.ts';
import type { DecodedObject } from './decoded-object.ts';

/** The object that an update starts from, in the storage version. */
export interface CurrentObject {
  /** Must not be changed. */
  readonly old: ApiObject;
  /** The same in the served version, in canonical form; made once. Must not be changed either. */
  live(): ApiObject;
  /** A tree of its own in the storage version, which may be changed or used up. */
  copy(): ApiObject;
  /** The part of it that the request wants, where it changes a view. */
  readonly wanted: ApiObject | undefined;
}

/** Computes the new object from the stored one, its owners recorded. */
export type Transform = (current: CurrentObject) => Steps<DecodedObject>;

/** How one object is updated. `subresource` picks the rules: '' for the whole object, `status` and the like. */
export interface UpdatePlan {
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** Rules of the subresource; the kind's own when left out. */
  readonly rules?: WriteRules<ApiObject> | undefined;
  readonly transform: Transform;
  /** The part of the object that admission is told of; the whole when left out. */
  readonly view?: ObjectView | undefined;
  /** Admission has had its say already, on another object. */
  readonly isAdmitted?: boolean | undefined;
  /**
   * Identifies everything that the outcome depends on beside the stored object, user and time: a request with the same
   * fingerprint that changed nothing is not computed again. Undefined: never remembered.
   */
  readonly fingerprint?: (() => string) | undefined;
  /** Whether the last outcome would be the same at any time; with `fingerprint` only. */
  readonly changesNothing?: (() => boolean) | undefined;
  /** The uid that the client expects (PUT only). */
  readonly expectedUid?: string | undefined;
  /** What to do when there is no such object; NotFound when left out. */
  readonly createInstead?: CreateInstead | undefined;
  readonly options: WriteOptions;
  /** Bytes of the request's body. */
  readonly sizeBytes: number;
}

/** A creation in place of an update. */
export interface CreateInstead {
  /** The object to create, its owners recorded. */
  object(): Steps<DecodedObject>;
  /** As `CreationPlan` has it. */
  readonly authorize?: CreationPlan['authorize'];
}
