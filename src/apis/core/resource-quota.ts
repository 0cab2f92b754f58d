import type { Dialect } from '../../machinery/dialect.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { TypeCatalog } from '../../machinery/schema/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { ResourceQuota, ResourceQuotaSpec } from '../types/core-v1.ts';
import {
  goList,
  goStringList,
  nameIsDnsSubdomain,
  renderGo,
  validateQuotaResourceName,
  validateResourceQuantity,
} from '../validation/index.ts';
import { conflictingScopes, isQuotaScope, isScopeForResource, scopesWithoutValues } from './quota-scopes.ts';

const specPath = fieldPath('spec');
const statusPath = fieldPath('status');

/** Resource quotas: what may be bounded, and to which objects a quota may be narrowed. */
export const resourceQuotaRules: KindRules<ResourceQuota> = {
  hasStatus: true,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate(quota) {
    quota.status = {};
  },
  prepareForUpdate(quota, old) {
    quota.status = old.status;
  },
  validate: (quota, context) => validateSpec(quota.spec, context),
  validateUpdate: (quota, old, context) => [
    ...validateSpec(quota.spec, context),
    ...validateScopesKept(quota, old),
  ],
  status: {
    prepareForUpdate(quota, old) {
      quota.spec = old.spec;
    },
    validateUpdate: ({ status }, _old, { dialect }) => [
      ...validateAmounts(status.hard, statusPath.child('hard'), dialect),
      ...validateAmounts(status.used, statusPath.child('used'), dialect),
    ],
  },
};

function validateSpec(spec: ResourceQuotaSpec, { dialect, catalog }: RuleContext): FieldError[] {
  const errors = validateAmounts(spec.hard, specPath.child('hard'), dialect);
  validateScopes(errors, spec);
  validateScopeSelector(errors, spec, catalog);
  return errors;
}

function validateAmounts(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [resource, quantity] of Object.entries(amounts ?? {})) {
    const at = path.key(resource);
    errors.push(
      ...validateQuotaResourceName(resource, at),
      ...validateResourceQuantity({ resource, quantity }, at, dialect),
    );
  }
  return errors;
}

const showScopes = (scopes: readonly string[] | undefined): VerbatimValue =>
  new VerbatimValue(
    goList(
      'core.ResourceQuotaScope',
      scopes?.map((scope) => JSON.stringify(scope)),
    ),
  );

function validateScopes(errors: FieldError[], spec: ResourceQuotaSpec): void {
  const { scopes = [], hard = {} } = spec;
  const path = specPath.child('scopes');
  const shown = showScopes(scopes);
  for (const scope of scopes) {
    if (!isQuotaScope(scope)) errors.push(invalidValue(path, shown, 'unsupported scope'));
    for (const resource in hard) {
      if (isScopeForResource(scope, resource)) continue;
      errors.push(invalidValue(path, shown, 'unsupported scope applied to resource'));
    }
  }
  for (const _pair of conflictingScopes(scopes)) errors.push(invalidValue(path, shown, 'conflicting scopes'));
}

function validateScopeSelector(errors: FieldError[], spec: ResourceQuotaSpec, catalog: TypeCatalog): void {
  const { scopeSelector, hard = {} } = spec;
  if (scopeSelector === undefined) return;
  const path = specPath.child('scopeSelector', 'matchExpressions');
  const requirements = scopeSelector.matchExpressions ?? [];
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!isQuotaScope(scopeName)) {
      errors.push(invalidValue(path.child('scopeName'), scopeName, 'unsupported scope'));
    }
    for (const resource in hard) {
      if (isScopeForResource(scopeName, resource)) continue;
      const shown = renderGo(scopeSelector, 'v1.ScopeSelector', catalog);
      errors.push(invalidValue(path, shown, 'unsupported scope applied to resource'));
    }
    if (scopesWithoutValues.has(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort";
      errors.push(invalidValue(path.child('operator'), operator, detail));
    }
    validateOperator(errors, path, operator, values);
  }
  for (const _pair of conflictingScopes(requirements.map(({ scopeName }) => scopeName))) {
    errors.push(invalidValue(path, showScopes(spec.scopes), 'conflicting scopes'));
  }
}

function validateOperator(
  errors: FieldError[],
  path: FieldPath,
  operator: string,
  values: readonly string[],
): void {
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length > 0) return;
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    errors.push(required(path.child('values'), detail));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length === 0) return;
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    errors.push(invalidValue(path.child('values'), goStringList(values), detail));
  } else errors.push(invalidValue(path.child('operator'), operator, 'not a valid selector operator'));
}

function validateScopesKept(quota: ResourceQuota, old: ResourceQuota): FieldError[] {
  const before = new Set(old.spec.scopes);
  const after = new Set(quota.spec.scopes);
  if (before.size === after.size && [...after].every((scope) => before.has(scope))) return [];
  return [invalidValue(specPath.child('scopes'), showScopes(quota.spec.scopes), 'field is immutable')];
}
