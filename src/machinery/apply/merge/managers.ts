import { equalFieldSets, type FieldSet } from '../fieldpath/field-set.ts';
import { unionOfAll } from '../fieldpath/set-algebra.ts';
import type { ApplySchema } from '../typed/view.ts';

/** What one manager owns, in the version that it spoke. */
export interface ManagerSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** True for appliers, false for those that update. */
  readonly isApplied: boolean;
}

/** Owners by identity; who they are does not matter here. */
export type Managers = ReadonlyMap<string, ManagerSet>;

/** An object with the schema of its version. */
export interface TypedObject {
  readonly object: Record<string, unknown>;
  readonly apiVersion: string;
  readonly schema: ApplySchema;
}

/** An object that is in no version, as a value does not fit its type; the message says why. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/**
 * Gives an object in another version, or undefined when that version is not known any more.
 *
 * @throws ConversionError
 */
export type ConvertTyped = (typed: TypedObject, apiVersion: string) => TypedObject | undefined;

/** A conversion whose errors say what it was for. */
export const convertFor =
  (what: string, convert: ConvertTyped): ConvertTyped =>
  (typed, apiVersion) => {
    try {
      return convert(typed, apiVersion);
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      throw new ConversionError(`${what}: ${error.message}`);
    }
  };

/** True when the same managers own the same fields. */
export function equalManagers(left: Managers, right: Managers): boolean {
  if (left === right) return true;
  if (left.size !== right.size) return false;
  for (const [id, own] of left) {
    const other = right.get(id);
    if (other === undefined || own.apiVersion !== other.apiVersion || own.isApplied !== other.isApplied) {
      return false;
    }
    if (!equalFieldSets(own.set, other.set)) return false;
  }
  return true;
}

/** All that is owned, by version. */
export function ownedByVersion(managers: Managers): Map<string, FieldSet> {
  const sets = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
  return new Map([...sets].map(([version, own]) => [version, unionOfAll(own.map(({ set }) => set))]));
}
