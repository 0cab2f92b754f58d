import { podQosClass } from '../../apis/core/index.ts';
import { podAnnotationNames } from '../../apis/core/pod-spec/index.ts';
import { systemCriticalPriority } from '../../apis/scheduling/index.ts';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { readUnits } from './amounts.ts';

const guaranteedScore = -998;
const bestEffortScore = 1000;

/** What the out-of-memory score adjustment of a container depends on; the capacity is the node's. */
export interface OomScoreOptions {
  readonly pod: Pod;
  readonly container: Container;
  readonly memoryCapacityBytes: number;
  readonly dialect: Dialect;
}

/**
 * How soon the kernel ends a container when memory runs out: -998 (Guaranteed, or critical to the node), 1000
 * (BestEffort), or between 2 and 999, less the more memory it has asked for.
 */
export function oomScoreAdjustment({
  pod,
  container,
  memoryCapacityBytes,
  dialect,
}: OomScoreOptions): number {
  if (isNodeCritical(pod, dialect)) return guaranteedScore;
  const qosClass = podQosClass(pod.spec);
  if (qosClass === 'Guaranteed') return guaranteedScore;
  if (qosClass === 'BestEffort') return bestEffortScore;
  const requestBytes = BigInt(readUnits(container.resources.requests, 'memory'));
  const score = 1000 - Number((1000n * requestBytes) / BigInt(memoryCapacityBytes));
  return Math.min(bestEffortScore - 1, Math.max(1000 + guaranteedScore, score));
}

function isNodeCritical({ metadata, spec }: Pod, dialect: Dialect): boolean {
  if (spec.priorityClassName !== 'system-node-critical') return false;
  const source = ownValue(metadata.annotations, dialect.label('config.source'));
  const isStatic = source !== undefined && source !== 'api';
  const isMirror = ownValue(metadata.annotations, podAnnotationNames(dialect).mirror) !== undefined;
  return isStatic || isMirror || (spec.priority ?? 0) >= systemCriticalPriority;
}
