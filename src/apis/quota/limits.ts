import type { ApiObject } from '../../machinery/meta/index.ts';
import type { GroupResource } from '../../machinery/schema/index.ts';
import { quantitySign } from '../../machinery/values/index.ts';
import type { ScopedResourceSelectorRequirement } from '../types/core-v1.ts';
import type { Amounts } from './amounts.ts';
import type { Evaluator } from './evaluator.ts';

/**
 * Something that may be used only where a quota bounds it. Source: release 1.20, `LimitedResource` of the configuration of the
 * admission plugin.
 */
export interface LimitedResource extends GroupResource {
  /** Names of amounts are limited that contain one of these texts. */
  readonly matchContains: readonly string[];
  /** Objects in one of these scopes are limited, of whatever resource, as in release 1.20. */
  readonly matchScopes: readonly ScopedResourceSelectorRequirement[];
}

/** Names of what an object of the resource uses, and a quota must bound, in order. */
export function limitedNames(
  usage: Amounts,
  resource: GroupResource,
  limits: readonly LimitedResource[],
): string[] {
  const texts = limits
    .filter((limit) => limit.group === resource.group && limit.resource === resource.resource)
    .flatMap(({ matchContains }) => matchContains);
  return [...usage]
    .filter(([name, amount]) => quantitySign(amount) > 0 && texts.some((text) => name.includes(text)))
    .map(([name]) => name)
    .sort();
}

/** The limited scopes that an object is in and no quota's scope of the same name, of those that it is in as well, covers. */
export function uncoveredScopes(
  object: ApiObject,
  limits: readonly LimitedResource[],
  { evaluator, quotaScopes }: UncoveredScopesOptions,
): ScopedResourceSelectorRequirement[] {
  const matching = (scopes: readonly ScopedResourceSelectorRequirement[]) =>
    scopes.filter((scope) => evaluator.isInScope(object, scope));
  const covered = new Set(matching(quotaScopes).map(({ scopeName }) => scopeName));
  return limits
    .flatMap(({ matchScopes }) => matching(matchScopes))
    .filter(({ scopeName }) => !covered.has(scopeName));
}

/** What scopes are compared with. */
export interface UncoveredScopesOptions {
  readonly evaluator: Evaluator;
  /** Of all quotas of the namespace. */
  readonly quotaScopes: readonly ScopedResourceSelectorRequirement[];
}

/** Scopes as release 1.20 shows them: `[{PriorityClass In [high]}]`. */
export const showScopes = (scopes: readonly ScopedResourceSelectorRequirement[]): string =>
  `[${scopes
    .map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`)
    .join(' ')}]`;
