import { podNodeMatcher, tolerates, untoleratedTaint } from '../../apis/core/index.ts';
import type { Taint } from '../../apis/types/core-v1.ts';
import { portsConflict } from '../pod-info.ts';
import { type FilterPlugin, resolvable, unresolvable } from './filter.ts';

const refusedUnschedulable = unresolvable('node(s) were unschedulable');

/** Nodes that take no pods, unless the pod tolerates the taint that says so. */
export const unschedulableFilter: FilterPlugin = ({ pod }, { dialect }) => {
  const taint: Taint = { key: dialect.domain('node', 'unschedulable'), effect: 'NoSchedule' };
  const isTolerated = (pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
  if (isTolerated) return undefined;
  return { check: ({ node }) => (node?.spec.unschedulable === true ? refusedUnschedulable : undefined) };
};

const refusedName = unresolvable("node(s) didn't match the requested hostname");

/** The node that the pod names. */
export const nameFilter: FilterPlugin = ({ pod }) => {
  const { nodeName } = pod.spec;
  if (!nodeName) return undefined;
  return { check: ({ name }) => (name === nodeName ? undefined : refusedName) };
};

const keepingOut = ['NoSchedule', 'NoExecute'];

/** Taints that keep pods out. */
export const taintFilter: FilterPlugin = ({ pod }) => {
  const tolerations = pod.spec.tolerations ?? [];
  return {
    check({ taints }) {
      const taint = taints.length === 0 ? undefined : untoleratedTaint(taints, tolerations, keepingOut);
      if (taint === undefined) return undefined;
      const { key, value = '' } = taint;
      return unresolvable(`node(s) had taint {${key}: ${value}}, that the pod didn't tolerate`);
    },
  };
};

const refusedAffinity = unresolvable("node(s) didn't match Pod's node affinity");

/** Labels that the pod's selector and required affinity name. */
export const affinityFilter: FilterPlugin = ({ pod }) => {
  const matches = podNodeMatcher(pod);
  return matches && { check: (node) => (matches(node) ? undefined : refusedAffinity) };
};

const refusedPorts = resolvable("node(s) didn't have free ports for the requested pod ports");

/** Ports of the node. */
export const portFilter: FilterPlugin = ({ hostPorts }) => {
  if (hostPorts.length === 0) return undefined;
  return {
    check: (node) =>
      node.takesPort((taken) => hostPorts.some((wanted) => portsConflict(wanted, taken)))
        ? refusedPorts
        : undefined,
  };
};

const refusedCount = 'Too many pods';
const basicNames = ['cpu', 'memory', 'ephemeral-storage'];

/** Room for what the pod asks for. */
export const fitFilter: FilterPlugin = ({ requests }) => {
  const names = [...new Set([...basicNames, ...requests.keys()])];
  const isScalar = (name: string): boolean => !basicNames.includes(name);
  const asks = [...requests].some(([name, amount]) => amount > 0 || isScalar(name));
  return {
    check(node) {
      const reasons = node.podCount + 1 > node.maxPods ? [refusedCount] : [];
      if (asks) {
        const { allocatable, requested } = node;
        for (const name of names) {
          const wanted = (requests.get(name) ?? 0) + (requested.get(name) ?? 0);
          if ((allocatable.get(name) ?? 0) < wanted) reasons.push(`Insufficient ${name}`);
        }
      }
      return reasons.length === 0 ? undefined : resolvable(...reasons);
    },
  };
};
