import { podQosClass } from '../../apis/core/index.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { IsCritical } from './critical-pod.ts';
import type { Shortage } from './fit-resources.ts';
import { type CountingRules, podRequests } from './resource-amounts.ts';

/** How the status of a pod that made room for a critical one, and the event about it, read. */
export const preemptionVerdict = {
  reason: 'Preempting',
  message: 'Preempted in order to admit critical pod',
} as const;

/** What is needed to choose pods that make room. */
export interface PreemptionOptions extends CountingRules {
  readonly pod: Pod;
  readonly others: readonly Pod[];
  readonly isCritical: IsCritical;
}

/** What is still missing, by name of the resource; all amounts are positive. */
type Missing = ReadonlyMap<string, bigint>;

interface Candidate {
  readonly pod: Pod;
  readonly frees: (resource: string) => bigint;
}

/**
 * Chooses the pods that must end so that a critical pod finds what is missing: as few guaranteed ones as possible, then
 * as few burstable ones, then best-effort ones; those that fit the need best come first.
 *
 * @throws PreemptionError when all that may end does not free enough.
 */
export function choosePreempted(shortages: readonly Shortage[], options: PreemptionOptions): readonly Pod[] {
  const missing = new Map(
    shortages.map(({ resource, requested, used, capacity }) => [resource, requested + used - capacity]),
  );
  const candidates = options.others
    .filter((other) => mayPreempt(options, other))
    .map((pod) => toCandidate(pod, options));
  assertNothingMissing(subtract(missing, candidates));
  const classes = Map.groupBy(candidates, ({ pod }) => podQosClass(pod.spec));
  const bestEffort = classes.get('BestEffort') ?? [];
  const burstable = classes.get('Burstable') ?? [];
  const guaranteed = classes.get('Guaranteed') ?? [];
  const lastly = choose(guaranteed, subtract(missing, [...bestEffort, ...burstable]));
  const then = choose(burstable, subtract(missing, [...bestEffort, ...lastly]));
  const first = choose(bestEffort, subtract(missing, [...then, ...lastly]));
  return [...first, ...then, ...lastly].map(({ pod }) => pod);
}

/** No pods can make enough room. The message is release 1.20's. */
export class PreemptionError extends Error {
  override readonly name = 'PreemptionError';
}

function mayPreempt({ pod, isCritical }: PreemptionOptions, other: Pod): boolean {
  if (!isCritical(other)) return true;
  const [own, others] = [pod.spec.priority, other.spec.priority];
  return own !== undefined && others !== undefined && own > others;
}

function toCandidate(pod: Pod, rules: CountingRules): Candidate {
  const requests = podRequests(pod, rules);
  return { pod, frees: (resource) => (resource === 'pods' ? 1n : (requests.get(resource) ?? 0n)) };
}

function subtract(missing: Missing, freed: readonly Candidate[]): Missing {
  const left = [...missing].map(([resource, amount]): [string, bigint] => [
    resource,
    freed.reduce((rest, { frees }) => rest - frees(resource), amount),
  ]);
  return new Map(left.filter(([, amount]) => amount > 0n));
}

function assertNothingMissing(missing: Missing): void {
  if (missing.size === 0) return;
  const list = [...missing].map(([resource, amount]) => `(res: ${resource}, q: ${amount}), `).join('');
  throw new PreemptionError(
    `preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${list}]`,
  );
}

function choose(candidates: readonly Candidate[], missing: Missing): readonly Candidate[] {
  const left = new Set(candidates);
  const chosen: Candidate[] = [];
  let rest = missing;
  while (rest.size > 0) {
    const best = findBest(left, rest);
    if (best === undefined) assertNothingMissing(rest);
    else {
      left.delete(best);
      chosen.push(best);
      rest = subtract(rest, [best]);
    }
  }
  return chosen;
}

/** The one that leaves the least missing; of equals the one that asks for less. */
function findBest(candidates: Iterable<Candidate>, missing: Missing): Candidate | undefined {
  let best: { readonly candidate: Candidate; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = distanceOf(candidate, missing);
    const isBetter =
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && asksForLess(candidate, best.candidate));
    if (isBetter) best = { candidate, distance };
  }
  return best?.candidate;
}

function distanceOf({ frees }: Candidate, missing: Missing): number {
  return [...missing].reduce((sum, [resource, amount]) => {
    const left = Number(amount - frees(resource)) / Number(amount);
    return left > 0 ? sum + left * left : sum;
  }, 0);
}

function asksForLess(one: Candidate, other: Candidate): boolean {
  for (const resource of ['memory', 'cpu']) {
    const difference = one.frees(resource) - other.frees(resource);
    if (difference !== 0n) return difference < 0n;
  }
  return true;
}
