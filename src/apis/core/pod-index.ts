/** The fragment of the rules table with the core kinds that run or describe pods. */
import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable, RuleContext } from '../kind-rules.ts';
import type { PodTemplate } from '../types/core-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { podRules } from './pod.ts';
import { checkPodTemplateSpec, dropGatedPodFields } from './pod-spec/index.ts';
import { replicationControllerRules } from './replication-controller.ts';

const templatePath = fieldPath('template');

function validate(object: PodTemplate, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  checkPodTemplateSpec(errors, object.template, templatePath, context);
  return errors;
}

/** Rules of stored templates, which no controller of the product uses. */
export const podTemplateRules: KindRules<PodTemplate> = {
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate: (object, context) => dropGatedPodFields(object.template, undefined, context),
  validate,
  prepareForUpdate: (object, old, context) => dropGatedPodFields(object.template, old.template, context),
  validateUpdate: (object, _old, context) => validate(object, context),
};

export {
  type NamedNode,
  type NodeMatcher,
  nodeSelectorMatcher,
  nodeTermMatcher,
  podNodeMatcher,
  tolerates,
  untoleratedTaint,
} from './node-matching.ts';
export { assertUsableBinding, bindPod, validateBinding } from './pod-binding.ts';
export { setPodCondition } from './pod-conditions.ts';
export { type PodQosClass, podQosClass } from './pod-qos.ts';
export {
  everyContainer,
  type PlacedContainer,
  type PodAnnotationNames,
  podAnnotationNames,
  seccompAnnotationFor,
} from './pod-spec/index.ts';

/** Rules of `v1.Pod` and the core kinds that hold pod templates. */
export const podRulesTable: KindRulesTable = {
  'v1.Pod': podRules,
  'v1.PodTemplate': podTemplateRules,
  'v1.ReplicationController': replicationControllerRules,
};
