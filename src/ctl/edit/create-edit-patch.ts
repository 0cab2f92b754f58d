import { asJsonObject } from '../../base/index.ts';
import { createMergePatch } from '../../machinery/patch/index.ts';
import { createStrategicMergePatch } from '../../machinery/patch/strategic/index.ts';
import type { FindBuiltInType } from '../changes/built-in-type.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

/** An object before and after it was edited. */
export interface EditStates {
  readonly findType: FindBuiltInType;
  readonly original: WireObject;
  readonly edited: WireObject;
}

/** A patch ready to be sent. */
export interface EditPatch {
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Makes the patch that turns one object into the other: a strategic one for built-in kinds, a merge patch for others.
 *
 * @throws CtlError when it would become another object.
 */
export async function createEditPatch({ findType, original, edited }: EditStates): Promise<EditPatch> {
  if (
    original.apiVersion !== edited.apiVersion ||
    original.kind !== edited.kind ||
    original.metadata.name !== edited.metadata.name
  ) {
    throw new CtlError('At least one of apiVersion, kind and name was changed');
  }
  // Both were parsed from JSON or YAML.
  const from = asJsonObject(original);
  const to = asJsonObject(edited);
  const builtIn = await findType(original);
  if (builtIn === undefined) {
    return { contentType: 'application/merge-patch+json', body: createMergePatch(from, to) };
  }
  const body = createStrategicMergePatch(from, to, builtIn.type, builtIn.catalog);
  return { contentType: 'application/strategic-merge-patch+json', body };
}
