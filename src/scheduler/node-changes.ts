import { isDeepStrictEqual } from 'node:util';
import type { Node } from '../apis/types/core-v1.ts';

/** Whether pods that had no place may have one now, other than by a sign of life. Source: release 1.20, `eventhandlers.go`. */
export function changesPlacement(node: Node, before: Node | undefined): boolean {
  if (before === undefined) return true;
  if (before.spec.unschedulable === true && node.spec.unschedulable !== true) return true;
  return !isDeepStrictEqual(partsOf(node), partsOf(before));
}

const partsOf = ({ metadata, spec, status }: Node) => [
  metadata.labels,
  spec.taints,
  status?.allocatable,
  status?.conditions?.map(({ type, status: value }) => [type, value]),
];
