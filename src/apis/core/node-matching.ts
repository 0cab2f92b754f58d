import { ownValue } from '../../base/index.ts';
import {
  createLabelRequirement,
  type LabelOperator,
  type LabelRequirement,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  Taint,
  Toleration,
} from '../types/core-v1.ts';

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: '>',
  Lt: '<',
};

/** What selectors ask of a node. */
export interface NamedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Tells whether a node is one of those that are meant. */
export type NodeMatcher = (node: NamedNode) => boolean;

/** The nodes that the pod's selector and required affinity allow; undefined when it names none. */
export function podNodeMatcher({ spec }: Pick<Pod, 'spec'>): NodeMatcher | undefined {
  const labels = Object.entries(spec.nodeSelector ?? {});
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (labels.length === 0 && !required) return undefined;
  const isAllowed = required ? nodeSelectorMatcher(required) : () => true;
  return (node) => labels.every(([key, value]) => ownValue(node.labels, key) === value) && isAllowed(node);
}

/** The nodes that a selector allows. */
export function nodeSelectorMatcher({ nodeSelectorTerms }: NodeSelector): NodeMatcher {
  const terms = (nodeSelectorTerms ?? []).map(nodeTermMatcher);
  return (node) => terms.some((matches) => matches(node));
}

/** The nodes for which all conditions of a term hold; one without conditions allows none. */
export function nodeTermMatcher({ matchExpressions, matchFields }: NodeSelectorTerm): NodeMatcher {
  const labels = (matchExpressions ?? []).map(toRequirement);
  const fields = matchFields ?? [];
  if (labels.length + fields.length === 0) return () => false;
  return (node) =>
    labels.every((each) => each?.matches(node.labels) === true) &&
    fields.every((each) => matchesField(each, node.name));
}

function matchesField({ key, operator, values = [] }: NodeSelectorRequirement, nodeName: string): boolean {
  const [value] = values;
  if (key !== 'metadata.name' || values.length !== 1) return false;
  if (operator === 'In') return value === nodeName;
  return operator === 'NotIn' && value !== nodeName;
}

/** Undefined when the condition makes no sense: it holds nowhere. */
function toRequirement({ key, operator, values }: NodeSelectorRequirement): LabelRequirement | undefined {
  const known = ownValue(operators, operator);
  if (known === undefined) return undefined;
  try {
    return createLabelRequirement(key, known, values ?? []);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** Whether a toleration covers a taint. Source: release 1.20, `Toleration.ToleratesTaint`. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key, operator, value = '', effect } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && value === (taint.value ?? '');
}

/** The first taint of one of these effects that no toleration covers. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taints.find(
    (taint) =>
      effects.includes(taint.effect) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}
