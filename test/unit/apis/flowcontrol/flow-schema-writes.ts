import { label1123, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const flowSchemaWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'flowcontrol.apiserver.orch.io/v1beta1',
      kind: 'FlowSchema',
      metadata: { name: 'fs-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 9000,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [
              { kind: 'User', user: { name: 'nobody-x' } },
              { kind: 'Group', group: { name: 'nogroup-x' } },
              { kind: 'ServiceAccount', serviceAccount: { namespace: 'd', name: 's' } },
            ],
            resourceRules: [
              { verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true, namespaces: ['d'] },
            ],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
          },
        ],
      },
    },
    status: {
      conditions: [
        {
          type: 'Dangling',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [{ '/spec/rules/0/nonResourceRules/0/verbs': ['get', 'get'] }],
    refused: [
      [
        { '/spec/rules/0/resourceRules/0/resources': [] },
        [
          'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
        ],
      ],
      [
        {
          '/spec/rules': [
            {
              subjects: [
                { kind: 'User', user: { name: 'nobody-x' } },
                { kind: 'Group', group: { name: 'nogroup-x' } },
                { kind: 'ServiceAccount', serviceAccount: { namespace: 'd', name: 's' } },
              ],
              resourceRules: [
                {
                  verbs: ['get'],
                  apiGroups: [''],
                  resources: ['pods'],
                  clusterScope: true,
                  namespaces: ['d'],
                },
              ],
              nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
            },
            {},
          ],
        },
        [
          'spec.rules[1].subjects: Required value: subjects must contain at least one value',
          'spec.rules[1]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
        ],
      ],
      [
        { '/spec/rules/0/subjects/0/serviceAccount': {} },
        [
          "spec.rules[0].subjects[0].serviceAccount: Forbidden: serviceAccount is forbidden when subject kind is not 'ServiceAccount'",
        ],
      ],
      [
        { '/spec/priorityLevelConfiguration/name': null },
        ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
      ],
      [
        { '/spec/rules/0/resourceRules/0/namespaces/0': 'a_b' },
        [
          `spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: "a_b": each member of this list must be '*' or a DNS-1123 label; ${label1123}`,
        ],
      ],
      [
        { '/spec/distinguisherMethod/type': 'a'.repeat(300) },
        [
          `spec.distinguisherMethod.type: Unsupported value: flowcontrol.FlowDistinguisherMethod{Type:"${'a'.repeat(300)}"}: supported values: "ByNamespace", "ByUser"`,
        ],
      ],
      [{ '/metadata/name': 'a%b' }, [`metadata.name: Invalid value: "a%b": ${subdomain1123}`]],
      [
        { '/spec/rules/0/resourceRules/0/verbs': ['a'.repeat(300)] },
        [
          `spec.rules[0].resourceRules[0].verbs: Unsupported value: []string{"${'a'.repeat(300)}"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"`,
        ],
      ],
      [
        {
          '/spec/rules/0/subjects/2/serviceAccount': {},
          '/spec/rules/0/resourceRules/0/verbs': ['Not_Valid!', '-x'],
        },
        [
          'spec.rules[0].subjects[2].serviceAccount.name: Required value',
          'spec.rules[0].subjects[2].serviceAccount.namespace: Required value: must specify namespace for service account',
          'spec.rules[0].resourceRules[0].verbs: Unsupported value: []string{"Not_Valid!", "-x"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        ],
      ],
    ],
    changed: [
      { '/spec/priorityLevelConfiguration': { name: 'global-default', noSuchField: { a: [1] } } },
      { '/spec/rules/0/nonResourceRules/0/nonResourceURLs': ['/healthz', '/healthz'] },
    ],
    kept: [
      [
        { '/spec/rules/0/nonResourceRules/0/verbs/0': '../x' },
        [
          'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: []string{"../x"}: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
        ],
      ],
      [
        { '/spec/rules/0/subjects/2/group': { name: 'sample' } },
        ["spec.rules[0].subjects[2].group: Forbidden: group is forbidden when subject kind is not 'Group'"],
      ],
      [
        { '/spec/rules/0/subjects/0/kind': 'Not_Valid!' },
        [
          'spec.rules[0].subjects[0].kind: Unsupported value: "Not_Valid!": supported values: "Group", "ServiceAccount", "User"',
        ],
      ],
      [
        { '/spec/distinguisherMethod/type': 'changed' },
        [
          'spec.distinguisherMethod.type: Unsupported value: <any>: supported values: "ByNamespace", "ByUser"',
        ],
      ],
    ],
    statusChanged: [
      { '/status': undefined },
      { '/status/conditions/0/reason': 'changed' },
      {
        '/status': {
          conditions: [
            {
              type: 'Dangling',
              status: 'True',
              lastTransitionTime: '2020-01-01T00:00:00Z',
              reason: 'Because',
              message: 'all good',
            },
          ],
          noSuchField: { a: [1] },
        },
      },
      { '/status/conditions/0/type': '../x' },
      { '/spec/rules/0/resourceRules/0/namespaces/0': 'changed' },
    ],
  },
];
