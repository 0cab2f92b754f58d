import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
} from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import {
  createLabelRequirement,
  type LabelOperator,
  type LabelRequirement,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import type { AdmittingNode } from './contract.ts';

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: '>',
  Lt: '<',
};

type NamedNode = Pick<AdmittingNode, 'name' | 'labels'>;

/** Whether a node is one that the pod's selector and required affinity allow. */
export function matchesNode({ spec }: Pod, node: NamedNode): boolean {
  const selector = Object.entries(spec.nodeSelector ?? {});
  if (!selector.every(([key, value]) => ownLabel(node, key) === value)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || matchesNodeSelector(required, node);
}

/** Whether a node is one that a selector allows. */
export function matchesNodeSelector({ nodeSelectorTerms }: NodeSelector, node: NamedNode): boolean {
  return (nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** All conditions of a term must hold; one without conditions allows no node. */
function matchesTerm({ matchExpressions, matchFields }: NodeSelectorTerm, node: NamedNode): boolean {
  const labels = matchExpressions ?? [];
  const fields = matchFields ?? [];
  if (labels.length + fields.length === 0) return false;
  return (
    labels.every((each) => toRequirement(each)?.matches(node.labels) === true) &&
    fields.every((each) => matchesField(each, node.name))
  );
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

function ownLabel({ labels }: NamedNode, key: string): string | undefined {
  return ownValue(labels, key);
}
