import type { KindRules } from '../apis/kind-rules.ts';
import type { ApiObject, ObjectMeta } from '../machinery/meta/index.ts';
import type { DeleteOptions } from './admission.ts';
import { formatNow, type ResourceStore } from './resource-store.ts';

/** Finalizer of `propagationPolicy=Orphan`: the garbage collector takes the owner references off the dependents first. */
const orphanFinalizer = 'orphan';
/** Finalizer of `propagationPolicy=Foreground`: the garbage collector deletes the dependents first. */
const foregroundFinalizer = 'foregroundDeletion';

/** Sets the metadata of an object whose deletion must wait: time, grace period, the garbage collector's finalizers. */
export function markDeleted(store: ResourceStore, options: DeleteOptions, object: ApiObject): ApiObject {
  const { metadata } = object;
  const { rules, environment } = store;
  const finalizers = finalizersFor(options, metadata.finalizers ?? [], rules.defaultPropagationPolicy);
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = finalizers;
  const grace = graceSeconds(rules, object, options);
  if (!metadata.deletionTimestamp) {
    metadata.deletionTimestamp = formatNow(environment.nowMs() + grace * 1000);
    // Kinds that end by a way of their own have no grace period, and no generation is counted for the deletion.
    if (rules.isReadyToRemove === undefined) {
      metadata.deletionGracePeriodSeconds = grace;
      if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
    }
    const { dialect } = environment.ruleContext;
    rules.prepareForDelete?.(object as never, { dialect, now: formatNow(environment.nowMs()) });
  } else if (grace < graceLeft(metadata)) {
    shortenGrace(object, grace);
  }
  return object;
}

const graceLeft = ({ deletionGracePeriodSeconds }: ObjectMeta): number => deletionGracePeriodSeconds ?? 0;

/** Whether an object ends already, and no later than a deletion with such options would have it. */
export function isOnItsWay(rules: KindRules, options: DeleteOptions, { metadata }: ApiObject): boolean {
  if (rules.gracePeriodSeconds === undefined || !metadata.deletionTimestamp) return false;
  const left = graceLeft(metadata);
  return left !== 0 && (options.gracePeriodSeconds ?? left) >= left;
}

/** Whether an object of a kind with a grace period has been marked, and its period is over. */
export const isOverdue = ({ metadata }: ApiObject): boolean =>
  Boolean(metadata.deletionTimestamp) && graceLeft(metadata) === 0;

/** The grace period with which an object is deleted, in seconds; 0 for kinds that have none. */
export function graceSeconds(rules: KindRules, object: ApiObject, options: DeleteOptions): number {
  const { metadata } = object;
  // What has been deleted before ends when that deletion said, or sooner.
  if (rules.gracePeriodSeconds !== undefined && metadata.deletionTimestamp && graceLeft(metadata) !== 0)
    return options.gracePeriodSeconds ?? graceLeft(metadata);
  // Rules are handed objects of just their kind.
  return rules.gracePeriodSeconds?.(object as never, options.gracePeriodSeconds) ?? 0;
}

/** A second deletion may only shorten the grace period. */
function shortenGrace(object: ApiObject, grace: number): void {
  const { metadata } = object;
  const startMs = Date.parse(metadata.deletionTimestamp ?? '') - graceLeft(metadata) * 1000;
  metadata.deletionTimestamp = formatNow(startMs + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
}

/**
 * The policy of the request replaces the garbage collector's finalizers that are there; without one they stay, and
 * an object without any gets those of its kind's default. Kinds without dependents never wait for the collector.
 */
function finalizersFor(
  options: DeleteOptions,
  current: readonly string[],
  defaultPolicy: KindRules['defaultPropagationPolicy'],
): string[] {
  const others = current.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (defaultPolicy === 'Unsupported') return others;
  const requested = options.propagationPolicy ?? policyOf(options.orphanDependents);
  const policy = requested ?? (others.length === current.length ? defaultPolicy : undefined);
  if (policy === undefined) return [...current];
  if (policy === 'Background') return others;
  const wanted = policy === 'Orphan' ? orphanFinalizer : foregroundFinalizer;
  // The same ones stay in their order.
  const isThere = current.length === others.length + 1 && current.includes(wanted);
  return isThere ? [...current] : [...others, wanted];
}

function policyOf(orphanDependents: boolean | undefined): 'Orphan' | 'Background' | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}
