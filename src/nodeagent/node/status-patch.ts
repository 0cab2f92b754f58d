import type { NodeCondition, NodeStatus } from '../../apis/types/core-v1.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';

type Amounts = Readonly<Record<string, string>>;

/** Differences between two statuses of a node; heartbeat times do not count. */
export interface StatusDifference {
  /** Strategic merge patch of the status; conditions of others stay. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** False: only the heartbeats of conditions are new. */
  readonly hasChanged: boolean;
}

/** The patch that makes `desired` of `shown`; it always carries the conditions. */
export function statusPatch(shown: NodeStatus, desired: NodeStatus): StatusDifference {
  const changed: Record<string, unknown> = {};
  const compare = (field: keyof NodeStatus, value: unknown): void => {
    if (!jsonEqual(shown[field] ?? null, desired[field] ?? null)) changed[field] = value;
  };
  compare('capacity', mergeAmounts(shown.capacity, desired.capacity));
  compare('allocatable', mergeAmounts(shown.allocatable, desired.allocatable));
  // Addresses are merged by their type, of which there can be two.
  compare('addresses', [...(desired.addresses ?? []), { $patch: 'replace' }]);
  compare('daemonEndpoints', desired.daemonEndpoints);
  compare('nodeInfo', desired.nodeInfo);
  compare('images', desired.images ?? null);
  compare('volumesInUse', desired.volumesInUse ?? null);
  if (desired.config !== undefined && !jsonEqual(shown.config ?? null, desired.config)) {
    // Maps are merged.
    const gone = Object.keys(shown.config ?? {}).filter((name) => !Object.hasOwn(desired.config ?? {}, name));
    changed.config = { ...Object.fromEntries(gone.map((name) => [name, null])), ...desired.config };
  }
  const order = conditionOrder(shown, desired);
  const conditions = order.flatMap(
    ({ type }) => desired.conditions?.filter((one) => one.type === type) ?? [],
  );
  const haveConditionsChanged = conditions.some(
    (one) =>
      !isSameCondition(
        one,
        shown.conditions?.find(({ type }) => type === one.type),
      ),
  );
  return {
    patch: { ...changed, '$setElementOrder/conditions': order, conditions },
    hasChanged: haveConditionsChanged || Object.keys(changed).length > 0,
  };
}

/** Conditions stay where they are, new ones come last; the server wants those of the patch in the same order. */
function conditionOrder(shown: NodeStatus, desired: NodeStatus): { readonly type: string }[] {
  const types = [...(shown.conditions ?? []), ...(desired.conditions ?? [])].map(({ type }) => type);
  return [...new Set(types)].map((type) => ({ type }));
}

const isSameCondition = (one: NodeCondition, other: NodeCondition | undefined): boolean =>
  one.status === other?.status && one.reason === other.reason && one.message === other.message;

/** A merge patch of amounts: null for those that are gone. */
function mergeAmounts(shown: Amounts = {}, desired: Amounts = {}): Record<string, string | null> {
  const gone = Object.keys(shown).filter((name) => !Object.hasOwn(desired, name));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...desired };
}
