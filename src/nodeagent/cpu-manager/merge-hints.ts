import type { AgentConfig } from '../options/index.ts';
import { countNodes, type NodeMask, type TopologyHint } from './topology-hints.ts';

/** How much the nodes that a request is served from matter. */
export type AlignmentPolicy = AgentConfig['topologyManagerPolicy'];

/** What becomes of hints. */
export interface MergedHint {
  /** Nodes to serve the request from first; undefined: any. */
  readonly nodes: NodeMask | undefined;
  /** Whether the policy lets the pod in. */
  readonly isAdmitted: boolean;
}

/** Hints of all resources that a request names, and what they are merged by. */
export interface MergeHintsOptions {
  readonly policy: Exclude<AlignmentPolicy, 'none'>;
  readonly allNodes: NodeMask;
  /** One list for each resource: empty when nothing can serve it, undefined when it does not care. */
  readonly hints: readonly (readonly TopologyHint[] | undefined)[];
}

const dontCare: TopologyHint = { nodes: undefined, isPreferred: true };
const impossible: TopologyHint = { nodes: undefined, isPreferred: false };

/** Chooses the fewest nodes that serve all resources alike; preferred ones of all resources come first. */
export function mergeHints({ policy, allNodes, hints }: MergeHintsOptions): MergedHint {
  const lists = hints.map((list) =>
    list === undefined ? [dontCare] : list.length === 0 ? [impossible] : list,
  );
  const isSingle = policy === 'single-numa-node';
  const best = chooseBest(isSingle ? lists.map((list) => list.filter(isOnOneNode)) : lists, allNodes);
  return {
    // All of the nodes is as good as any.
    nodes: isSingle && best.nodes === allNodes ? undefined : best.nodes,
    isAdmitted: policy === 'best-effort' || best.isPreferred,
  };
}

interface Choice {
  readonly nodes: NodeMask;
  readonly isPreferred: boolean;
}

function chooseBest(lists: readonly (readonly TopologyHint[])[], allNodes: NodeMask): Choice {
  let choices: readonly Choice[] = [{ nodes: allNodes, isPreferred: true }];
  for (const list of lists) {
    choices = choices.flatMap((choice) =>
      list.map(({ nodes = allNodes, isPreferred }) => ({
        nodes: choice.nodes & nodes,
        isPreferred: choice.isPreferred && isPreferred,
      })),
    );
  }
  const none: Choice = { nodes: allNodes, isPreferred: false };
  return choices
    .filter(({ nodes }) => nodes !== 0)
    .reduce((best, choice) => (isBetter(choice, best) ? choice : best), none);
}

function isBetter(choice: Choice, best: Choice): boolean {
  if (choice.isPreferred !== best.isPreferred) return choice.isPreferred;
  return countNodes(choice.nodes) - countNodes(best.nodes) < 0 || isLower(choice, best);
}

/** Of as many nodes, the lowest are taken. */
const isLower = (choice: Choice, best: Choice): boolean =>
  countNodes(choice.nodes) === countNodes(best.nodes) && choice.nodes < best.nodes;

const isOnOneNode = ({ nodes, isPreferred }: TopologyHint): boolean =>
  isPreferred && (nodes === undefined || countNodes(nodes) === 1);
