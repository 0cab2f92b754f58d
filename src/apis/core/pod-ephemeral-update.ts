import { type FieldError, fieldPath, forbiddenField, quoteGo } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { Pod } from '../types/core-v1.ts';
import { deepEqual } from '../validation/index.ts';
import { checkEphemeralContainers } from './pod-spec/index.ts';

const listPath = fieldPath('spec', 'ephemeralContainers');

/** Keeps all of a pod but its ephemeral containers. */
export function prepareEphemeralUpdate(pod: Pod, old: Pod): void {
  pod.spec = { ...old.spec, ephemeralContainers: pod.spec.ephemeralContainers };
  pod.status = old.status;
}

/** All errors of changed ephemeral containers: there may be more of them, nothing else. */
export function validateEphemeralUpdate(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  checkEphemeralContainers(errors, pod.spec, listPath, { volumes, context });
  const present = new Map(
    (pod.spec.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  for (const before of old.spec.ephemeralContainers ?? []) {
    const after = present.get(before.name);
    if (after !== undefined && deepEqual(before, after)) continue;
    const change = after === undefined ? 'removed' : 'changed';
    const detail = `existing ephemeral containers ${quoteGo(before.name)} may not be ${change}\n`;
    errors.push(forbiddenField(listPath, detail));
  }
  return errors;
}
