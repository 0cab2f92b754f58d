/** The fragment of the rules table with the core kinds that run or describe pods. */
import type { KindRulesTable } from '../kind-rules.ts';
import { podRules } from './pod.ts';
import { podTemplateRules } from './pod-template.ts';
import { replicationControllerRules } from './replication-controller.ts';

export {
  type NamedNode,
  type NodeMatcher,
  nodeSelectorMatcher,
  nodeTermMatcher,
  podNodeMatcher,
} from './node-selector.ts';
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
export { tolerates, untoleratedTaint } from './taint-matching.ts';

/** Rules of `v1.Pod` and the core kinds that hold pod templates. */
export const podRulesTable: KindRulesTable = {
  'v1.Pod': podRules,
  'v1.PodTemplate': podTemplateRules,
  'v1.ReplicationController': replicationControllerRules,
};
