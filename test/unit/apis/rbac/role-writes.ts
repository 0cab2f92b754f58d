import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const roleWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'Role',
      metadata: { name: 'role-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['a'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      ],
    },
    changed: [
      { '/rules/0/resources/1': 'a/b' },
      { '/rules/0/resourceNames': [null] },
      { '/rules/0/resources/0': 'naïve' },
    ],
    kept: [
      [
        { '/rules/0/nonResourceURLs': ['a b', ' '] },
        [
          'rules[0].nonResourceURLs: Invalid value: []string{"a b", " "}: namespaced rules cannot apply to non-resource URLs',
          'rules[0].nonResourceURLs: Invalid value: []string{"a b", " "}: rules cannot apply to both regular resources and non-resource URLs',
          'rules[0].nonResourceURLs: Invalid value: []string{"a b", " "}: namespaced rules cannot apply to non-resource URLs',
          'rules[0].nonResourceURLs: Invalid value: []string{"a b", " "}: rules cannot apply to both regular resources and non-resource URLs',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'crole-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      rules: [
        { verbs: ['get'], nonResourceURLs: ['/healthz', '/metrics/*'] },
        { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
      ],
      aggregationRule: {
        clusterRoleSelectors: [
          {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
          },
        ],
      },
    },
    kept: [
      [
        { '/aggregationRule/clusterRoleSelectors/0/matchExpressions/0/values/1': 'Not_Valid!' },
        [
          'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
          'aggregationRule.clusterRoleSelectors[0]: Invalid value: "null": invalid label selector.',
        ],
      ],
      [
        { '/rules/0/resourceNames': [null] },
        [
          'rules[0].nonResourceURLs: Invalid value: []string{"/healthz", "/metrics/*"}: rules cannot apply to both regular resources and non-resource URLs',
          'rules[0].nonResourceURLs: Invalid value: []string{"/healthz", "/metrics/*"}: rules cannot apply to both regular resources and non-resource URLs',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1beta1',
      kind: 'Role',
      metadata: { name: 'role-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'], resourceNames: ['a'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      ],
    },
    changed: [{ '/rules/1/verbs/0': 'UpperCase' }],
    kept: [
      [
        { '/rules/1/nonResourceURLs': [''] },
        [
          'rules[1].nonResourceURLs: Invalid value: []string{""}: namespaced rules cannot apply to non-resource URLs',
          'rules[1].nonResourceURLs: Invalid value: []string{""}: rules cannot apply to both regular resources and non-resource URLs',
          'rules[1].nonResourceURLs: Invalid value: []string{""}: namespaced rules cannot apply to non-resource URLs',
          'rules[1].nonResourceURLs: Invalid value: []string{""}: rules cannot apply to both regular resources and non-resource URLs',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'rbac.authorization.orch.io/v1beta1',
      kind: 'ClusterRole',
      metadata: { name: 'crole-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      rules: [
        { verbs: ['get'], nonResourceURLs: ['/healthz', '/metrics/*'] },
        { verbs: ['get'], apiGroups: [''], resources: ['nodes'] },
      ],
      aggregationRule: {
        clusterRoleSelectors: [
          {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
          },
        ],
      },
    },
    changed: [{ '/rules/0/nonResourceURLs': ['/healthz'] }],
    kept: [
      [
        { '/aggregationRule': {} },
        [
          'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
          'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
        ],
      ],
    ],
  },
];
