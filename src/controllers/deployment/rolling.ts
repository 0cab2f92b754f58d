import type { Deployment, ReplicaSet } from '../../apis/types/apps-v1.ts';
import { scaleIntOrString } from '../../machinery/values/index.ts';

/** How far the number of pods may go from what is asked for while a deployment rolls out. */
export interface RollingBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec.replicas ?? 1;

export const isRollingUpdate = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/**
 * The bounds in pods. Percentages count from the number that is asked for, surge rounded up, unavailability down; where both come
 * to nothing one may be unavailable, or nothing would ever move. Source: release 1.20, `ResolveFenceposts`.
 */
export function rollingBounds(deployment: Deployment): RollingBounds {
  if (!isRollingUpdate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const replicas = replicasOf(deployment);
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec.strategy.rollingUpdate ?? {};
  const surge = scaleIntOrString(maxSurge, replicas, 'up') ?? 0;
  const unavailable = scaleIntOrString(maxUnavailable, replicas, 'down') || (surge === 0 ? 1 : 0);
  return { maxSurge: surge, maxUnavailable: Math.min(unavailable, replicas) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export const totalOf = (sets: readonly ReplicaSet[]): number => sum(sets.map(replicasOf));
export const actualOf = (sets: readonly ReplicaSet[]): number =>
  sum(sets.map(({ status }) => status.replicas));
export const readyOf = (sets: readonly ReplicaSet[]): number =>
  sum(sets.map(({ status }) => status.readyReplicas ?? 0));
export const availableOf = (sets: readonly ReplicaSet[]): number =>
  sum(sets.map(({ status }) => status.availableReplicas ?? 0));

/** Sets that are asked for pods. */
export const activeOf = (sets: readonly ReplicaSet[]): ReplicaSet[] =>
  sets.filter((set) => replicasOf(set) > 0);

/** Oldest first, by name where times are the same. */
export function byCreation(a: ReplicaSet, b: ReplicaSet): number {
  const one = `${a.metadata.creationTimestamp} ${a.metadata.name}`;
  const other = `${b.metadata.creationTimestamp} ${b.metadata.name}`;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How many replicas the new set is to have: as many as fit besides the old ones. Source: release 1.20, `NewRSNewReplicas`. */
export function newSetReplicas(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const room = wanted + rollingBounds(deployment).maxSurge - totalOf(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

/** A set and how many replicas it is to have. */
export interface Scaling {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/**
 * Which old sets lose how many replicas in a rolling update: first those that are of no use, then as many as may be unavailable, oldest
 * sets first. Source: release 1.20, `reconcileOldReplicaSets`.
 */
export function scaleDownOld(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  current: ReplicaSet,
): Scaling[] {
  const minAvailable = replicasOf(deployment) - rollingBounds(deployment).maxUnavailable;
  const unavailable = replicasOf(current) - lastingOf(current);
  const all = [...old, current];
  const most = totalOf(all) - minAvailable - unavailable;
  if (most <= 0) return [];
  const sizes = new Map(old.map((set) => [set, replicasOf(set)]));
  const inOrder = [...old].sort(byCreation);
  const take = (set: ReplicaSet, wanted: number, left: number): number => {
    const size = sizes.get(set) ?? 0;
    const taken = Math.max(0, Math.min(wanted, left, size));
    sizes.set(set, size - taken);
    return taken;
  };
  let left = most;
  for (const set of inOrder) left -= take(set, replicasOf(set) - lastingOf(set), left);
  left = sum(all.map(lastingOf)) - minAvailable;
  for (const set of inOrder) left -= take(set, sizes.get(set) ?? 0, left);
  return inOrder.flatMap((set) => {
    const replicas = sizes.get(set) ?? 0;
    return replicas === replicasOf(set) ? [] : [{ set, replicas }];
  });
}

/** Pods of a set that are available and will stay: a status may be older than the size, and count what is about to go. */
const lastingOf = (set: ReplicaSet): number => Math.min(set.status.availableReplicas ?? 0, replicasOf(set));

/**
 * How the sets of a deployment that is paused, or rolls out, share a change of its size: by their sizes. `maxReplicasOf` is the size
 * that a set was made for, surge included, if it is known. Source: release 1.20, `scale` and `GetProportion`.
 */
export function scaleInProportion(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  maxReplicasOf: (set: ReplicaSet) => number | undefined,
): Scaling[] {
  const wanted = replicasOf(deployment);
  const allowed = wanted > 0 ? wanted + rollingBounds(deployment).maxSurge : 0;
  const toAdd = allowed - totalOf(sets);
  const inOrder = [...sets].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const scalings = inOrder.map((set) => {
    const size = replicasOf(set);
    const share = wanted === 0 ? -size : shareOf(set);
    const left = toAdd - added;
    const change = left === 0 || size === 0 ? 0 : toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    added += change;
    return { set, replicas: size + change };
  });
  // What rounding has left is the largest one's.
  return scalings.map(({ set, replicas }, at) => ({
    set,
    replicas: at === 0 ? Math.max(0, replicas + toAdd - added) : replicas,
  }));

  function shareOf(set: ReplicaSet): number {
    const madeFor = maxReplicasOf(set) ?? deployment.status.replicas ?? 0;
    const size = replicasOf(set);
    return Math.round((size * (wanted + rollingBounds(deployment).maxSurge)) / madeFor) - size;
  }
}
