import type { Dialect } from '../../machinery/dialect.ts';
import { createThreeWayMergePatch, type JsonObject } from '../../machinery/patch/index.ts';
import type { WireObject } from '../resource/api-object.ts';

/** The three states of an object that a patch is made from. */
export interface ApplyStates {
  readonly dialect: Dialect;
  /** What was applied last time; empty when unknown. */
  readonly original: Readonly<Record<string, unknown>>;
  /** What the file says, with its annotation. */
  readonly modified: WireObject;
  /** What the server has. */
  readonly current: WireObject;
}

/** A patch ready to be sent. */
export interface ApplyPatch {
  readonly contentType: string;
  readonly body: unknown;
  readonly isEmpty: boolean;
}

/** Makes the patch that carries the file's changes over and leaves others' fields alone. */
export async function createApplyPatch({ original, modified, current }: ApplyStates): Promise<ApplyPatch> {
  // All three were parsed from JSON.
  const body = createThreeWayMergePatch({
    original: original as JsonObject,
    modified: modified as unknown as JsonObject,
    current: current as unknown as JsonObject,
  });
  return { contentType: 'application/merge-patch+json', body, isEmpty: Object.keys(body).length === 0 };
}
