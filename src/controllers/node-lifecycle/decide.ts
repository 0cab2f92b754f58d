import type { NodeSpec, NodeStatus, Taint } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatTime } from '../../machinery/values/index.ts';

/** Names of taints by condition and its status. Source: release 1.20, `nodeConditionToTaintKeyStatusMap`. */
const taintNames = new Map([
  ['Ready=False', 'not-ready'],
  ['Ready=Unknown', 'unreachable'],
  ['MemoryPressure=True', 'memory-pressure'],
  ['DiskPressure=True', 'disk-pressure'],
  ['NetworkUnavailable=True', 'network-unavailable'],
  ['PIDPressure=True', 'pid-pressure'],
]);

/**
 * The taints of a node where those of effect `NoSchedule` are not as its conditions say; undefined where they are, and before its
 * agent has reported. Pure. Source: release 1.20, `doNoScheduleTaintingPass`.
 */
export function decideTaints(
  { spec, status }: { readonly spec: NodeSpec; readonly status: Pick<NodeStatus, 'conditions'> },
  dialect: Dialect,
  nowMs: number,
): Taint[] | undefined {
  const { conditions = [] } = status;
  if (!conditions.some(({ type }) => type === 'Ready')) return undefined;
  const keyOf = (name: string): string => dialect.domain('node', name);
  const names = conditions.flatMap((condition) => {
    return taintNames.get(`${condition.type}=${condition.status}`) ?? [];
  });
  const wanted = new Set([...names, ...(spec.unschedulable ? ['unschedulable'] : [])].map(keyOf));
  const managed = new Set([...taintNames.values(), 'unschedulable'].map(keyOf));
  const { taints = [] } = spec;
  const isOurs = ({ key, effect }: Taint): boolean => effect === 'NoSchedule' && managed.has(key);
  const present = new Set(taints.filter(isOurs).map(({ key }) => key));
  const added = [...wanted].filter((key) => !present.has(key));
  const kept = taints.filter((taint) => !isOurs(taint) || wanted.has(taint.key));
  if (added.length === 0 && kept.length === taints.length) return undefined;
  const timeAdded = formatTime(nowMs);
  return [...kept, ...added.map((key) => ({ key, effect: 'NoSchedule', timeAdded }))];
}
