import {
  badRequest,
  conflict,
  type FieldError,
  fieldPath,
  notSupported,
  otherFailure,
  required,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { Binding, Pod } from '../types/core-v1.ts';
import { setPodCondition } from './pod-conditions.ts';

const targetPath = fieldPath('target');

/** All errors of a binding that a client sent, in release 1.20's order. */
export function validateBinding({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind && target.kind !== 'Node') {
    errors.push(notSupported(targetPath.child('kind'), target.kind, ['Node', '<empty>']));
  }
  if (!target.name) errors.push(required(targetPath.child('name')));
  return errors;
}

/**
 * Refuses a binding that cannot be meant for the pod named in the request's path.
 *
 * @throws StatusError `BadRequest` for another name; 500 without a reason for a bad target, as in release 1.20.
 */
export function assertUsableBinding(binding: Binding, podName: string): void {
  if ((binding.metadata.name ?? '') !== podName) {
    throw badRequest('name in URL does not match name in Binding object');
  }
  const texts = validateBinding(binding).map(String);
  if (texts.length === 0) return;
  throw otherFailure(500, '', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

/**
 * Assigns a pod to the node of a usable binding, in place: node name, annotations of the binding, condition
 * `PodScheduled`. The binding's uid and version are not looked at.
 *
 * @throws StatusError `Conflict` when the pod has a node or is being deleted.
 */
export function bindPod(pod: Pod, binding: Binding, context: RuleContext): void {
  const { name = '', deletionTimestamp } = pod.metadata;
  const refuse = (detail: string): Error =>
    conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} is ${detail}`);
  if (deletionTimestamp) throw refuse('being deleted, cannot be assigned to a host');
  if (pod.spec.nodeName) throw refuse(`already assigned to node ${JSON.stringify(pod.spec.nodeName)}`);
  pod.spec.nodeName = binding.target.name;
  const { annotations } = binding.metadata;
  if (annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, context.now);
}
