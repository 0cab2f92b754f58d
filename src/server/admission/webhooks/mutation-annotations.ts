import type { Dialect } from '../../../machinery/dialect.ts';
import type { JsonPatchOperation } from '../../../machinery/patch/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { Hook } from './hooks.ts';

/** The call of a mutating webhook that the audit log is told of. */
export interface AnnotatedCall {
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
