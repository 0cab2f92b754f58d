import { addAll } from '../../base/index.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { parseSelector } from '../core/pod-spec/index.ts';
import type { KindRules } from '../kind-rules.ts';
import type { ClusterRole, PolicyRule, Role } from '../types/rbac-authorization-v1.ts';
import { goStringList, nameIsPathSegment, validateLabelSelector } from '../validation/index.ts';

const rulesPath = fieldPath('rules');

/** Roles: what may be done in one namespace. */
export const roleRules: KindRules<Role> = {
  refusesExport: true,
  validateName: nameIsPathSegment,
  allowsCreateOnUpdate: true,
  validate: ({ rules }) => validatePolicyRules(rules ?? [], { isNamespaced: true }),
  validateUpdate: ({ rules }) => validatePolicyRules(rules ?? [], { isNamespaced: true }),
};

/** Cluster roles: what may be done everywhere, or a sum of other cluster roles. */
export const clusterRoleRules: KindRules<ClusterRole> = {
  refusesExport: true,
  validateName: nameIsPathSegment,
  allowsCreateOnUpdate: true,
  validate: validateClusterRole,
  validateUpdate: validateClusterRole,
};

function validateClusterRole({ rules, aggregationRule }: ClusterRole): FieldError[] {
  const errors = validatePolicyRules(rules ?? [], { isNamespaced: false });
  if (aggregationRule === undefined) return errors;
  const path = fieldPath('aggregationRule', 'clusterRoleSelectors');
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  for (const [at, selector] of selectors.entries()) {
    addAll(errors, validateLabelSelector(selector, path.index(at)));
    if (parseSelector(selector) !== undefined) continue;
    // Release 1.20 shows the selector that it could not make.
    errors.push(invalidValue(path.index(at), undefined, 'invalid label selector.'));
  }
  return errors;
}

function validatePolicyRules(
  rules: readonly PolicyRule[],
  { isNamespaced }: { readonly isNamespaced: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, rule] of rules.entries())
    validatePolicyRule(errors, rule, rulesPath.index(at), isNamespaced);
  return errors;
}

function validatePolicyRule(
  errors: FieldError[],
  rule: PolicyRule,
  path: FieldPath,
  isNamespaced: boolean,
): void {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  if (!verbs?.length) errors.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (nonResourceURLs?.length) {
    const refuse = (detail: string): void => {
      errors.push(invalidValue(path.child('nonResourceURLs'), goStringList(nonResourceURLs), detail));
    };
    if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (apiGroups?.length || resources?.length || resourceNames?.length) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (!apiGroups?.length) {
    errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  }
  if (!resources?.length) {
    errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
  }
}
