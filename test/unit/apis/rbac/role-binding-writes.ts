import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const roleBindingWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'rb-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    },
    changed: [
      { '/subjects/0/name': 'changed' },
      { '/subjects/2/namespace': 'a/b' },
      { '/subjects/0/namespace': 'sample' },
    ],
    kept: [
      [
        { '/subjects/2/kind': 'a'.repeat(300) },
        [
          `subjects[2].kind: Unsupported value: "${'a'.repeat(300)}": supported values: "ServiceAccount", "User", "Group"`,
          `subjects[2].kind: Unsupported value: "${'a'.repeat(300)}": supported values: "ServiceAccount", "User", "Group"`,
        ],
      ],
      [
        { '/subjects/2/apiGroup': 'UpperCase' },
        [
          'subjects[2].apiGroup: Unsupported value: "UpperCase": supported values: ""',
          'subjects[2].apiGroup: Unsupported value: "UpperCase": supported values: ""',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'crb-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    },
    changed: [
      { '/subjects/2/namespace': '-abc' },
      { '/subjects/1/name': ' lead' },
      { '/subjects/1/namespace': 'changed' },
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: 'rb-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    },
    changed: [
      { '/subjects': [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' }] },
      {
        '/roleRef': {
          apiGroup: 'rbac.authorization.orch.io',
          kind: 'ClusterRole',
          name: 'view',
          noSuchField: { a: [1] },
        },
      },
    ],
    kept: [
      [
        { '/roleRef/kind': 'changed' },
        [
          'roleRef.kind: Unsupported value: "changed": supported values: "Role", "ClusterRole"',
          'roleRef.kind: Unsupported value: "changed": supported values: "Role", "ClusterRole"',
          'roleRef: Invalid value: <any>: cannot change roleRef',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1beta1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'crb-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.orch.io' },
        { kind: 'Group', name: 'devs' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    },
    changed: [{ '/subjects/0/apiGroup': '' }, { '/subjects/2/namespace': 'naïve' }],
  },
];
