import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const rbacDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'a' },
      subjects: [{ kind: 'User', name: 'jane' }],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    {
      '/subjects/0/apiGroup': 'rbac.authorization.orch.io',
      '/roleRef/apiGroup': 'rbac.authorization.orch.io',
    },
  ],
  [
    {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      subjects: [{ kind: 'User', name: 'jane' }],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    {
      '/subjects/0/apiGroup': 'rbac.authorization.orch.io',
      '/roleRef/apiGroup': 'rbac.authorization.orch.io',
    },
  ],
  [
    {
      apiVersion: 'rbac.authorization.orch.io/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      subjects: [{ kind: 'User', name: 'jane' }],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    {
      '/subjects/0/apiGroup': 'rbac.authorization.orch.io',
      '/roleRef/apiGroup': 'rbac.authorization.orch.io',
    },
  ],
];
