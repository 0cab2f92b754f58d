import { addAll } from '../../../base/index.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../../types/core-v1.ts';
import { isQualifiedName, nameIsDnsLabel, validateLabelSelector } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkNodeSelector, checkNodeSelectorTerm } from './node-selector.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Errors of the rules that draw a pod to nodes and pods, or away from them. */
export function checkAffinity(errors: FieldError[], affinity: Affinity, path: FieldPath): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  if (nodeAffinity) checkNodeAffinity(errors, nodeAffinity, path.child('nodeAffinity'));
  if (podAffinity) checkPodAffinity(errors, podAffinity, path.child('podAffinity'));
  if (podAntiAffinity) checkPodAffinity(errors, podAntiAffinity, path.child('podAntiAffinity'));
}

function checkNodeAffinity(errors: FieldError[], affinity: NodeAffinity, path: FieldPath): void {
  const selector = affinity[requiredTerms];
  if (selector) checkNodeSelector(errors, selector, path.child(requiredTerms));
  for (const [position, term] of (affinity[preferredTerms] ?? []).entries()) {
    const at = path.child(preferredTerms).index(position);
    checkWeight(errors, term.weight, at);
    checkNodeSelectorTerm(errors, term.preference, at.child('preference'));
  }
}

function checkWeight(errors: FieldError[], weight: number, path: FieldPath): void {
  if (weight > 0 && weight <= 100) return;
  errors.push(invalidValue(path.child('weight'), weight, 'must be in the range 1-100'));
}

function checkPodAffinity(errors: FieldError[], affinity: PodAffinity, path: FieldPath): void {
  for (const [position, term] of (affinity[requiredTerms] ?? []).entries()) {
    checkTerm(errors, term, path.child(requiredTerms).index(position));
  }
  for (const [position, weighted] of (affinity[preferredTerms] ?? []).entries()) {
    const at = path.child(preferredTerms).index(position);
    checkWeight(errors, weighted.weight, at);
    checkTerm(errors, weighted.podAffinityTerm, at.child('podAffinityTerm'));
  }
}

function checkTerm(errors: FieldError[], term: PodAffinityTerm, path: FieldPath): void {
  addAll(errors, validateLabelSelector(term.labelSelector, path.child('matchExpressions')));
  for (const namespace of term.namespaces ?? []) {
    reportInvalid(errors, path.child('namespace'), namespace, nameIsDnsLabel(namespace, false));
  }
  const keyPath = path.child('topologyKey');
  if (term.topologyKey === '') errors.push(required(keyPath, 'can not be empty'));
  reportInvalid(errors, keyPath, term.topologyKey, isQualifiedName(term.topologyKey));
}

/** Errors of how pods spread over a topology; a key and an action make one constraint. */
export function checkTopologySpread(
  errors: FieldError[],
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): void {
  const identities = constraints.map(({ topologyKey: key, whenUnsatisfiable: action }) =>
    JSON.stringify([key, action]),
  );
  const lastAt = new Map(identities.map((identity, position) => [identity, position]));
  for (const [position, constraint] of constraints.entries()) {
    const { maxSkew, topologyKey, whenUnsatisfiable } = constraint;
    const at = path.index(position);
    if (maxSkew <= 0) errors.push(invalidValue(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!allowed.whenUnsatisfiable.includes(whenUnsatisfiable)) {
      const actionPath = at.child('whenUnsatisfiable');
      errors.push(notSupported(actionPath, whenUnsatisfiable, allowed.whenUnsatisfiable));
    }
    if (lastAt.get(identities[position] ?? '') === position) continue;
    const pair = at.child('{topologyKey, whenUnsatisfiable}');
    errors.push(duplicate(pair, `{${topologyKey}, ${whenUnsatisfiable}}`));
  }
}
