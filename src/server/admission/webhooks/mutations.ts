import type { AdmissionAnswer } from '../../../apis/admission/index.ts';
import { BodySyntaxError, parseJson } from '../../../machinery/codec/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { internalError, quoteGo } from '../../../machinery/errors/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import {
  applyJsonPatch,
  type JsonPatchOperation,
  PatchError,
  parseJsonPatch,
} from '../../../machinery/patch/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import { HookFailure } from './ask.ts';
import type { Hook } from './hooks.ts';

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
    const patch = parseJsonPatch(parseJson(bytes, { beyondDoubles: 'refused' }));
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

/** The call of a mutating webhook that the audit log is told of. */
interface AnnotatedCall {
  readonly hook: Hook;
  readonly attributes: AdmissionAttributes;
  /** 1 when it was asked again. */
  readonly round: number;
  readonly dialect: Dialect;
}

/** Records whether a webhook changed the object, or (from the level `Request` on) by which patch. */
export function annotateMutation(
  { hook, attributes: { request }, round, dialect }: AnnotatedCall,
  outcome: boolean | readonly JsonPatchOperation[],
): void {
  if (request === undefined) return;
  const { configuration, name: webhook, index } = hook;
  const place = `round_${round}_index_${index}`;
  if (typeof outcome === 'boolean') {
    const key = `${dialect.group('mutation.webhook.admission')}/${place}`;
    request.annotate(key, JSON.stringify({ configuration, webhook, mutated: outcome }), 'Metadata');
    return;
  }
  const key = `${dialect.group('patch.webhook.admission')}/${place}`;
  const value = JSON.stringify({
    configuration,
    webhook,
    patch: outcome.map(sorted),
    patchType: 'JSONPatch',
  });
  request.annotate(key, value, 'Request');
}

/** Members of an operation by name, as release 1.20 writes them. */
const sorted = ({ from, op, path, value }: JsonPatchOperation): JsonPatchOperation => ({
  from,
  op,
  path,
  value,
});
