import type { Node, NodeSpec, NodeStatus, Taint } from '../../apis/types/core-v1.ts';
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
 * The taints of a node where those of effect `NoSchedule` are not as its conditions say; undefined where they are. A node without
 * any condition has none, also not the one that it came with. Pure. Source: release 1.20, `doNoScheduleTaintingPass`.
 */
export function decideTaints(
  { spec, status }: { readonly spec: NodeSpec; readonly status: Pick<NodeStatus, 'conditions'> },
  dialect: Dialect,
  nowMs: number,
): Taint[] | undefined {
  const { conditions = [] } = status;
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

/** What evicts pods: the name of the taint, by what is known of the node. */
export type EvictionTaint = 'not-ready' | 'unreachable';

/** Of a node whose condition `Ready` has this status; undefined for one that is ready. */
export function evictionTaintFor(status: string): EvictionTaint | undefined {
  if (status === 'False') return 'not-ready';
  return status === 'Unknown' ? 'unreachable' : undefined;
}

const isEvictionTaint = ({ effect, key }: Taint, name: EvictionTaint, dialect: Dialect): boolean =>
  effect === 'NoExecute' && key === dialect.domain('node', name);

export const hasEvictionTaint = ({ spec }: TaintedNode, name: EvictionTaint, dialect: Dialect): boolean =>
  (spec.taints ?? []).some((taint) => isEvictionTaint(taint, name, dialect));

/** A node as far as its taints go. */
export type TaintedNode = { readonly spec: Pick<NodeSpec, 'taints'> };

/** The taints of a node when it evicts pods for one reason at most; undefined where they are like that already. Pure. */
export function withEvictionTaint(
  node: TaintedNode,
  wanted: EvictionTaint | undefined,
  { dialect, nowMs }: { readonly dialect: Dialect; readonly nowMs: number },
): Taint[] | undefined {
  const { taints = [] } = node.spec;
  const kept = taints.filter((taint) =>
    (['not-ready', 'unreachable'] as const).every(
      (name) => name === wanted || !isEvictionTaint(taint, name, dialect),
    ),
  );
  if (wanted === undefined || hasEvictionTaint(node, wanted, dialect)) {
    return kept.length === taints.length ? undefined : kept;
  }
  const key = dialect.domain('node', wanted);
  return [...kept, { key, effect: 'NoExecute', timeAdded: formatTime(nowMs) }];
}

/** The labels of a node that older clients read and that are not as the newer ones say. Pure. Source: release 1.20, `labelReconcileInfo`. */
export function decideLabels(
  { metadata: { labels = {} } }: Pick<Node, 'metadata'>,
  dialect: Dialect,
): Record<string, string> | undefined {
  const changed: Record<string, string> = {};
  for (const name of ['os', 'arch']) {
    const value = labels[dialect.label(name)];
    const older = dialect.domain('beta', name);
    if (value !== undefined && labels[older] !== value) changed[older] = value;
  }
  return Object.keys(changed).length === 0 ? undefined : changed;
}
