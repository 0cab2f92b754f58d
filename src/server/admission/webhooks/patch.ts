import type { AdmissionAnswer } from '../../../apis/admission/index.ts';
import { BodySyntaxError, parseJson } from '../../../machinery/codec/index.ts';
import { internalError, quoteGo } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import {
  applyJsonPatch,
  type JsonPatchOperation,
  PatchError,
  parseJsonPatch,
} from '../../../machinery/patch/index.ts';
import { HookFailure } from './ask.ts';

/** A patch that a webhook wants, applied. */
export interface AppliedAnswer {
  readonly patch: readonly JsonPatchOperation[];
  /** The patched object, not yet decoded. */
  readonly value: unknown;
}

/**
 * Applies what a webhook wants to change; undefined when that is nothing.
 *
 * @throws HookFailure for a type of patch that is not known. @throws StatusError 500 for a patch that cannot be applied.
 */
export function applyAnswer(
  name: string,
  { patch: bytes, patchType }: AdmissionAnswer,
  object: ApiObject | undefined,
): AppliedAnswer | undefined {
  if (bytes === undefined) return undefined;
  return guarded(() => {
    const patch = parseJsonPatch(parseJson(bytes));
    if (patch.length === 0) return undefined;
    if (object === undefined) {
      throw internalError(
        `admission webhook ${quoteGo(name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    if (patchType !== 'JSONPatch') throw new HookFailure(`unsupported patch type ${quoteGo(patchType)}`);
    return { patch, value: applyJsonPatch(object, patch) };
  });
}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatchError || error instanceof BodySyntaxError) throw internalError(error.message);
    throw error;
  }
}
