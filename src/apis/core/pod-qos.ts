import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantitySign,
} from '../../machinery/values/index.ts';
import type { Container, PodSpec } from '../types/core-v1.ts';

/** How safe a pod is when its node runs out of something. */
export type PodQosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

type Totals = Map<string, Quantity>;

const counted = ['cpu', 'memory'] as const;

/** The class that follows from what the containers ask for and may use. */
export function podQosClass(spec: PodSpec): PodQosClass {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let isGuaranteed = true;
  for (const list of [spec.containers, spec.initContainers]) {
    for (const { resources } of list ?? []) {
      addAmounts(requests, resources.requests);
      const limited = addAmounts(limits, resources.limits);
      if (limited < counted.length) isGuaranteed = false;
    }
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  if (!isGuaranteed || requests.size !== limits.size) return 'Burstable';
  for (const [name, request] of requests) {
    const limit = limits.get(name);
    if (limit === undefined || compareQuantities(limit, request) !== 0) return 'Burstable';
  }
  return 'Guaranteed';
}

/** Adds the amounts above zero to `totals`; answers how many there were. */
function addAmounts(totals: Totals, amounts: Container['resources']['limits']): number {
  if (!amounts) return 0;
  let count = 0;
  for (const name of counted) {
    const text = amounts[name];
    if (text === undefined) continue;
    const quantity = parseQuantity(text);
    if (quantitySign(quantity) <= 0) continue;
    count += 1;
    const total = totals.get(name);
    totals.set(name, total === undefined ? quantity : addQuantities(total, quantity));
  }
  return count;
}
