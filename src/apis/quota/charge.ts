import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupResource } from '../../machinery/schema/index.ts';
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from '../types/core-v1.ts';
import {
  type Amounts,
  addAmounts,
  exceededNames,
  negativeNames,
  onlyAmounts,
  showAmounts,
  subtractAmounts,
  withoutZeros,
} from './amounts.ts';
import type { Evaluator } from './evaluator.ts';
import { type LimitedResource, limitedNames, showScopes, uncoveredScopes } from './limits.ts';

/** A quota as its status has it: what the controller has seen of its bounds, and what is used. */
export interface ChargedQuota {
  readonly name: string;
  readonly spec: ResourceQuotaSpec;
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** A write that may use more, or less, than before. */
export interface ChargedWrite {
  readonly object: ApiObject;
  /** Undefined for a creation. */
  readonly oldObject: ApiObject | undefined;
}

/** How objects of a resource count, and what of it may be used only where a quota bounds it. */
export interface ChargeRules {
  readonly evaluator: Evaluator;
  readonly resource: GroupResource;
  readonly limits: readonly LimitedResource[];
}

/**
 * The quotas with the write charged, each the same one where it is not concerned; or why the write is refused, or, where release
 * 1.20 fails instead, why it fails.
 */
export type ChargeResult =
  | { readonly kind: 'charged'; readonly quotas: readonly ChargedQuota[] }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** Charges every quota that bounds what the object uses, or none. The texts are release 1.20's (`CheckRequest`). */
export function chargeQuotas(
  quotas: readonly ChargedQuota[],
  { object, oldObject }: ChargedWrite,
  rules: ChargeRules,
): ChargeResult {
  const { evaluator } = rules;
  const concerned = new Set<ChargedQuota>();
  for (const quota of quotas) {
    if (!isConcerned(quota, object, evaluator)) continue;
    const problem = constraintProblem(quota, object, evaluator);
    if (problem !== undefined) return refused(problem);
    concerned.add(quota);
  }
  const usage = evaluator.usage(object);
  const negative = negativeNames(usage);
  if (negative.length > 0) return refused(`quota usage is negative for resource(s): ${negative.join()}`);
  const delta = withoutZeros(
    oldObject === undefined ? usage : subtractAmounts(usage, evaluator.usage(oldObject)),
  );
  if (delta.size === 0) return { kind: 'charged', quotas };
  const unbounded = findUnbounded(object, usage, { rules, quotas, concerned });
  if (unbounded !== undefined) return unbounded;
  const charged: ChargedQuota[] = [];
  for (const quota of quotas) {
    const requested = concerned.has(quota) ? onlyAmounts(delta, quota.hard.keys()) : undefined;
    if (requested === undefined || requested.size === 0) {
      charged.push(quota);
      continue;
    }
    const used = addAmounts(quota.used, requested);
    const exceeded = exceededNames(onlyAmounts(used, requested.keys()), quota.hard);
    if (exceeded.length > 0) return refused(exceededText(quota, requested, exceeded));
    charged.push({ ...quota, used });
  }
  return { kind: 'charged', quotas: charged };
}

const refused = (detail: string): ChargeResult => ({ kind: 'refused', detail });

interface Charging {
  readonly rules: ChargeRules;
  readonly quotas: readonly ChargedQuota[];
  /** Those that bound what the object uses. */
  readonly concerned: ReadonlySet<ChargedQuota>;
}

/** Why a write is turned away that uses what is limited, and that no quota bounds. */
function findUnbounded(
  object: ApiObject,
  usage: Amounts,
  { rules: { evaluator, resource, limits }, quotas, concerned }: Charging,
): ChargeResult | undefined {
  if (limits.length === 0) return undefined;
  const bounded = new Set([...concerned].flatMap(({ hard }) => [...hard.keys()]));
  const names = limitedNames(usage, resource, limits).filter((name) => !bounded.has(name));
  if (names.length > 0) return refused(`insufficient quota to consume: ${names.join()}`);
  const quotaScopes = quotas.flatMap(({ spec }) => scopesOf(spec));
  const scopes = uncoveredScopes(object, limits, { evaluator, quotaScopes });
  if (scopes.length === 0) return undefined;
  return { kind: 'failed', detail: `insufficient quota to match these scopes: ${showScopes(scopes)}` };
}

/** The scopes of a quota as requirements, both ways to write them. */
const scopesOf = ({ scopes, scopeSelector }: ResourceQuotaSpec): ScopedResourceSelectorRequirement[] => [
  ...(scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
  ...(scopeSelector?.matchExpressions ?? []),
];

function isConcerned({ hard, spec }: ChargedQuota, object: ApiObject, evaluator: Evaluator): boolean {
  return [...hard.keys()].some((name) => evaluator.matches(name)) && isInScopes(spec, object, evaluator);
}

/** Whether an object is in all scopes of a quota. */
export const isInScopes = (spec: ResourceQuotaSpec, object: ApiObject, evaluator: Evaluator): boolean =>
  scopesOf(spec).every((requirement) => evaluator.isInScope(object, requirement));

function constraintProblem(
  { name, hard, used }: ChargedQuota,
  object: ApiObject,
  evaluator: Evaluator,
): string | undefined {
  const bounded = [...hard.keys()].filter((each) => evaluator.matches(each)).sort();
  const missing = evaluator.missing(object, bounded);
  if (missing.length > 0) return `failed quota: ${name}: must specify ${missing.join()}`;
  if (bounded.every((each) => used.has(each))) return undefined;
  return `status unknown for quota: ${name}, resources: ${bounded.join()}`;
}

function exceededText({ name, hard, used }: ChargedQuota, requested: Amounts, exceeded: string[]): string {
  const show = (amounts: Amounts): string => showAmounts(onlyAmounts(amounts, exceeded));
  return `exceeded quota: ${name}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`;
}
