import {
  addAmounts,
  type Evaluator,
  formatAmounts,
  hasSameAmounts,
  isInScopes,
  onlyAmounts,
  parseAmounts,
  resourcesOfNames,
} from '../../apis/quota/index.ts';
import type { ResourceQuota, ResourceQuotaStatus } from '../../apis/types/core-v1.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupResource } from '../../machinery/schema/index.ts';
import { parseQuantity } from '../../machinery/values/index.ts';

/** What a quota is recalculated from. */
export interface QuotaSources {
  readonly evaluatorOf: (resource: GroupResource) => Evaluator;
  /** The objects of a resource in the quota's namespace; undefined when they are not known. */
  readonly objectsOf: (resource: GroupResource) => readonly ApiObject[] | undefined;
}

/**
 * The status that a quota is to have; undefined when it has it. What objects that are not known use stays as it was. Pure.
 * Source: release 1.20, `syncResourceQuota` and `CalculateUsage`.
 *
 * @throws QuantityError for text that validation would refuse.
 */
export function decideQuotaStatus(
  { spec, status }: Pick<ResourceQuota, 'spec' | 'status'>,
  { evaluatorOf, objectsOf }: QuotaSources,
): ResourceQuotaStatus | undefined {
  const hard = parseAmounts(spec.hard);
  const before = parseAmounts(status.used);
  const used = onlyAmounts(before, hard.keys());
  for (const resource of resourcesOfNames([...hard.keys()], evaluatorOf)) {
    const objects = objectsOf(resource);
    if (objects === undefined) continue;
    const evaluator = evaluatorOf(resource);
    const names = [...hard.keys()].filter((name) => evaluator.matches(name));
    let sum = new Map(names.map((name) => [name, parseQuantity('0')]));
    for (const object of objects) {
      if (!isInScopes(spec, object, evaluator)) continue;
      sum = addAmounts(sum, onlyAmounts(evaluator.usage(object), names));
    }
    for (const [name, quantity] of sum) used.set(name, quantity);
  }
  if (hasSameAmounts(hard, parseAmounts(status.hard)) && hasSameAmounts(used, before)) return undefined;
  return { hard: { ...spec.hard }, used: formatAmounts(used) };
}

/** Whether a quota bounds less than it is meant to until it is recalculated: such quotas come first. */
export function needsStatus({ spec, status }: Pick<ResourceQuota, 'spec' | 'status'>): boolean {
  const hard = parseAmounts(spec.hard);
  if (!hasSameAmounts(hard, parseAmounts(status.hard))) return true;
  return [...hard.keys()].some((name) => status.used?.[name] === undefined);
}
