import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const rbacRows: readonly RowCase[] = [
  [
    'rbac.authorization.orch.io/v1.ClusterRoleBinding',
    'clusterrolebindings',
    {
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    ['a', 'ClusterRole/view', '30s', 'jane', 'devs', 'default/sa'],
  ],
  [
    'rbac.authorization.orch.io/v1beta1.ClusterRoleBinding',
    'clusterrolebindings',
    {
      subjects: [
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    ['a', 'ClusterRole/view', '30s', '', 'devs', 'default/sa'],
  ],
  [
    'rbac.authorization.orch.io/v1.RoleBinding',
    'rolebindings',
    {
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    ['a', 'ClusterRole/view', '30s', 'jane', 'devs', '/sa'],
  ],
  [
    'rbac.authorization.orch.io/v1.RoleBinding',
    'rolebindings',
    {
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    ['a', 'ClusterRole/view', '30s', 'jane', 'devs', 'default/sa'],
  ],
  [
    'rbac.authorization.orch.io/v1.RoleBinding',
    'rolebindings',
    { subjects: [{ kind: 'User', name: 'jane' }], roleRef: { kind: 'ClusterRole', name: 'view' } },
    ['a', 'ClusterRole/view', '30s', 'jane', '', ''],
  ],
  [
    'rbac.authorization.orch.io/v1beta1.RoleBinding',
    'rolebindings',
    {
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'view' },
    },
    ['a', 'ClusterRole/view', '30s', 'jane', 'devs', '/sa'],
  ],
];
