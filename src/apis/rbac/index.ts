/**
 * Rules of the access control group: roles and bindings. Whether someone may grant what a role grants is for the
 * authorizer, not for these rules.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { clusterRoleBindingRules, roleBindingRules } from './bindings.ts';
import { clusterRoleRules, roleRules } from './roles.ts';

/** Rules of the access control group's kinds. */
export const rbacRules: KindRulesTable = {
  'rbac.authorization.orch.io/v1.ClusterRole': clusterRoleRules,
  'rbac.authorization.orch.io/v1.ClusterRoleBinding': clusterRoleBindingRules,
  'rbac.authorization.orch.io/v1.Role': roleRules,
  'rbac.authorization.orch.io/v1.RoleBinding': roleBindingRules,
};
