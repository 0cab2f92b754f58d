import type { FieldSet } from '../fieldpath/field-set.ts';
import type { ManagerSet } from '../merge/managers.ts';

/** Owners of an object with the times of their last changes (RFC 3339 text, seconds). */
export interface ManagedState {
  readonly managers: ReadonlyMap<string, ManagerSet>;
  readonly times: ReadonlyMap<string, string>;
}

/** Nobody owns anything. */
export const emptyState: ManagedState = { managers: new Map(), times: new Map() };

/** Parses sets, remembering recent ones. */
export type ParseFieldSet = (fieldsV1: unknown) => FieldSet;
