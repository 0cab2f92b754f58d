import type { PodCondition, PodIP, PodStatus } from '../../apis/types/core-v1.ts';

/** A strategic merge patch of the subresource `status` of a pod. */
export interface StatusPatch {
  /** The patch holds for this pod only, not for another one of its name. */
  readonly metadata: { readonly uid: string };
  readonly status: Readonly<Record<string, unknown>>;
}

/** Conditions that are the agent's to set. */
const ownConditions: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Initialized',
  'ContainersReady',
  'Ready',
]);

/**
 * What to send so that a pod with the status `current` has `desired`; undefined when it has. Conditions that are not
 * the agent's stay as they are. Absent, null and empty values count as the same.
 */
export function statusPatch(uid: string, current: PodStatus, desired: PodStatus): StatusPatch | undefined {
  const { conditions: currentConditions, podIPs: currentIps, ...currentRest } = current;
  const { conditions: desiredConditions, podIPs: desiredIps, ...desiredRest } = desired;
  const status = {
    ...fieldChanges(currentRest, desiredRest),
    ...conditionChanges(currentConditions ?? [], desiredConditions ?? []),
    ...ipChanges(currentIps ?? [], desiredIps ?? []),
  };
  return Object.keys(status).length === 0 ? undefined : { metadata: { uid }, status };
}

/** Fields that are replaced as a whole; null removes. */
function fieldChanges(current: object, desired: object): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  const [before, after] = [new Map(Object.entries(current)), new Map(Object.entries(desired))];
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (!isAlike(before.get(name), after.get(name))) changes[name] = after.get(name) ?? null;
  }
  return changes;
}

/** Conditions are merged by type: only what changed is sent, and the order that they shall have. */
function conditionChanges(
  current: readonly PodCondition[],
  desired: readonly PodCondition[],
): Record<string, unknown> {
  const own = desired.filter(({ type }) => ownConditions.has(type));
  const before = new Map(current.map((condition) => [condition.type, condition]));
  const kept = new Set(own.map(({ type }) => type));
  const gone = current.filter(({ type }) => ownConditions.has(type) && !kept.has(type));
  const items = [
    ...own.flatMap((condition) => changedCondition(before.get(condition.type), condition)),
    ...gone.map(({ type }) => ({ $patch: 'delete', type })),
  ];
  if (items.length === 0) return {};
  const others = current.filter(({ type }) => !ownConditions.has(type));
  const order = [...others, ...own].map(({ type }) => ({ type }));
  return { ...(order.length === 0 ? {} : { '$setElementOrder/conditions': order }), conditions: items };
}

function changedCondition(before: PodCondition | undefined, condition: PodCondition): object[] {
  if (before === undefined) return [condition];
  const changes = fieldChanges(before, condition);
  return Object.keys(changes).length === 0 ? [] : [{ ...changes, type: condition.type }];
}

/** Addresses are merged, too: an address is its own key. */
function ipChanges(current: readonly PodIP[], desired: readonly PodIP[]): Record<string, unknown> {
  const before = new Set(current.map(({ ip }) => ip));
  const after = new Set(desired.map(({ ip }) => ip));
  const items = [
    ...desired.filter(({ ip }) => !before.has(ip)),
    ...current.filter(({ ip }) => !after.has(ip)).map(({ ip }) => ({ $patch: 'delete', ip })),
  ];
  const isReordered = items.length === 0 && desired.some(({ ip }, at) => current[at]?.ip !== ip);
  if (items.length === 0 && !isReordered) return {};
  const order = desired.map(({ ip }) => ({ ip }));
  return {
    ...(order.length === 0 ? {} : { '$setElementOrder/podIPs': order }),
    ...(items.length === 0 ? {} : { podIPs: items }),
  };
}

/** Whether two values mean the same to the server, which leaves out what is empty. */
function isAlike(a: unknown, b: unknown): boolean {
  if (isEmpty(a) || isEmpty(b)) return isEmpty(a) && isEmpty(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, at) => isAlike(item, b[at]));
  }
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (!isAlike(left.get(name), right.get(name))) return false;
  }
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : false;
}
