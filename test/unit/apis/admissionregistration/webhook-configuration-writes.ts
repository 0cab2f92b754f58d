import { labelValue, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const webhookConfigurationWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'admissionregistration.orch.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'mwc-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      webhooks: [
        {
          name: 'm1.example.com',
          clientConfig: {
            service: { namespace: 'ns', name: 'svc', path: '/hook', port: 8443 },
            caBundle: 'YQ==',
          },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'None',
          admissionReviewVersions: ['v1', 'v1beta1'],
          reinvocationPolicy: 'IfNeeded',
        },
        {
          name: 'm2.example.com',
          clientConfig: { url: 'https://hook.example.com/x' },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'None',
          admissionReviewVersions: ['v1', 'v1beta1'],
        },
      ],
    },
    accepted: [
      { '/webhooks/0/rules/0/resources': ['a', '*'] },
      { '/webhooks/1/matchPolicy': undefined },
      { '/webhooks/1/rules/0/apiGroups/0': ' lead' },
      { '/webhooks/0/rules': undefined },
      { '/webhooks/1/rules': [] },
      { '/webhooks/1/rules/0/apiGroups/0': '' },
      { '/webhooks/0/namespaceSelector': {} },
      {
        '/webhooks': [
          {
            name: 'm1.example.com',
            clientConfig: {
              service: { namespace: 'ns', name: 'svc', path: '/hook', port: 8443 },
              caBundle: 'YQ==',
            },
            rules: [
              {
                operations: ['CREATE', 'UPDATE'],
                apiGroups: ['apps'],
                apiVersions: ['v1'],
                resources: ['deployments'],
                scope: 'Namespaced',
              },
            ],
            failurePolicy: 'Ignore',
            matchPolicy: 'Equivalent',
            namespaceSelector: { matchLabels: { hooked: 'never' } },
            objectSelector: { matchLabels: { hooked: 'never' } },
            timeoutSeconds: 5,
            sideEffects: 'None',
            admissionReviewVersions: ['v1', 'v1beta1'],
            reinvocationPolicy: 'IfNeeded',
          },
        ],
      },
    ],
    refused: [
      [
        { '/webhooks/0/rules/0/resources': ['*', 'a', 'b/c'] },
        [
          `webhooks[0].rules[0].resources: Invalid value: []string{"*", "a", "b/c"}: if '*' is present, must not specify other resources without subresources`,
        ],
      ],
      [
        { '/webhooks/0/name': '', '/webhooks/1/name': '' },
        ['webhooks[0].name: Required value', 'webhooks[1].name: Required value'],
      ],
      [
        { '/webhooks/0/rules/0/scope': 'Not_Valid!' },
        [
          'webhooks[0].rules[0].scope: Unsupported value: "Not_Valid!": supported values: "*", "Cluster", "Namespaced"',
        ],
      ],
      [{ '/webhooks/1/rules/0/resources': [] }, ['webhooks[1].rules[0].resources: Required value']],
      [
        { '/webhooks/0/clientConfig/service/namespace': null },
        ['webhooks[0].clientConfig.service.name: Required value: service name is required'],
      ],
      [
        { '/webhooks/0/matchPolicy': 'UpperCase' },
        ['webhooks[0].matchPolicy: Unsupported value: "UpperCase": supported values: "Equivalent", "Exact"'],
      ],
      [
        { '/webhooks/0/objectSelector/matchLabels': { k: 'bad value!' } },
        [`webhooks[0].objectSelector.matchLabels: Invalid value: "bad value!": ${labelValue}`],
      ],
      [
        { '/webhooks/0/namespaceSelector/matchLabels': { ['a'.repeat(64)]: 'sample' } },
        [
          `webhooks[0].namespaceSelector.matchLabels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
        ],
      ],
      [
        { '/webhooks/0/clientConfig/url': 'changed' },
        ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
      ],
      [
        { '/webhooks/1/admissionReviewVersions': [] },
        ['webhooks[1].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
      ],
      [
        { '/webhooks/0/name': 'a'.repeat(300) },
        [`webhooks[0].name: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`],
      ],
      [{ '/webhooks/0/rules/0/apiGroups': undefined }, ['webhooks[0].rules[0].apiGroups: Required value']],
      [
        { '/webhooks/0/rules/0/apiVersions/0': null },
        ['webhooks[0].rules[0].apiVersions[0]: Required value'],
      ],
      [
        { '/webhooks/0/rules/0/operations/0': 'Not_Valid!' },
        [
          'webhooks[0].rules[0].operations[0]: Unsupported value: "Not_Valid!": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        ],
      ],
      [
        { '/webhooks/1/reinvocationPolicy': 'naïve' },
        ['webhooks[1].reinvocationPolicy: Unsupported value: "naïve": supported values: "IfNeeded", "Never"'],
      ],
      [
        { '/webhooks/1/objectSelector/matchLabels': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `webhooks[1].objectSelector.matchLabels: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        { '/webhooks/0/objectSelector/matchLabels': { '/k': 'v' } },
        ['webhooks[0].objectSelector.matchLabels: Invalid value: "/k": prefix part must be non-empty'],
      ],
      [
        { '/webhooks/1/failurePolicy': '../x' },
        ['webhooks[1].failurePolicy: Unsupported value: "../x": supported values: "Fail", "Ignore"'],
      ],
      [
        { '/webhooks/1/namespaceSelector/matchLabels': { '/k': 'v' } },
        ['webhooks[1].namespaceSelector.matchLabels: Invalid value: "/k": prefix part must be non-empty'],
      ],
      [
        { '/webhooks/0/admissionReviewVersions/0': '../x' },
        [
          "webhooks[0].admissionReviewVersions[0]: Invalid value: \"../x\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/webhooks/1/sideEffects': undefined },
        ['webhooks[1].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
      ],
      [
        { '/webhooks/0/rules': [{}] },
        [
          'webhooks[0].rules[0].operations: Required value',
          'webhooks[0].rules[0].apiGroups: Required value',
          'webhooks[0].rules[0].apiVersions: Required value',
          'webhooks[0].rules[0].resources: Required value',
        ],
      ],
      [
        {
          '/webhooks/0/rules': [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: [''], resources: [''] },
          ],
        },
        [
          'webhooks[0].rules[0].apiVersions[0]: Required value',
          'webhooks[0].rules[0].resources[0]: Required value',
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { url: 'https://a.b/x#y' } },
        ['webhooks[0].clientConfig.url: Invalid value: "y": fragments are not permitted in the URL'],
      ],
      [
        { '/webhooks/0/clientConfig': { service: { namespace: 'a', name: 'b', path: '/A_b!/c/' } } },
        [`webhooks[0].clientConfig.service.path: Invalid value: "/A_b!/c/": segment[0]: ${subdomain1123}`],
      ],
      [
        { '/webhooks/0/clientConfig': { service: { namespace: 'a', name: 'b', port: 0 } } },
        [
          'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { service: { namespace: 'a' } } },
        ['webhooks[0].clientConfig.service.namespace: Required value: service namespace is required'],
      ],
      [
        { '/webhooks/0/clientConfig': { url: '%zz' } },
        [
          'webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse "%zz": invalid URL escape "%zz"; desired format: https://host[/path]',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'admissionregistration.orch.io/v1beta1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'mwc-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      webhooks: [
        {
          name: 'm1.example.com',
          clientConfig: {
            service: { namespace: 'ns', name: 'svc', path: '/hook', port: 8443 },
            caBundle: 'YQ==',
          },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'Some',
          admissionReviewVersions: ['v1beta1'],
          reinvocationPolicy: 'IfNeeded',
        },
        {
          name: 'm2.example.com',
          clientConfig: { url: 'https://hook.example.com/x' },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'Some',
          admissionReviewVersions: ['v1beta1'],
        },
      ],
    },
    accepted: [
      { '/webhooks/0/rules/0/apiVersions/0': ' lead' },
      { '/webhooks/0/rules/0/resources/0': 'UpperCase' },
      { '/webhooks/0/namespaceSelector': { matchLabels: { hooked: 'never' }, noSuchField: { a: [1] } } },
      { '/webhooks/1/objectSelector': undefined },
      {
        '/webhooks/0/rules': [
          {
            operations: ['CREATE', 'CREATE'],
            apiGroups: ['a', 'a'],
            apiVersions: ['v1', 'v1'],
            resources: ['x', 'x'],
          },
        ],
      },
    ],
    refused: [
      [
        { '/webhooks/0/sideEffects': 'Not_Valid!' },
        [
          'webhooks[0].sideEffects: Unsupported value: "Not_Valid!": supported values: "None", "NoneOnDryRun", "Some", "Unknown"',
        ],
      ],
      [
        { '/webhooks/0/clientConfig/service/path': 'naïve' },
        [
          'webhooks[0].clientConfig.service.path: Invalid value: "naïve": must start with a \'/\'',
          `webhooks[0].clientConfig.service.path: Invalid value: "naïve": segment[0]: ${subdomain1123}`,
        ],
      ],
      [{ '/webhooks/0/rules/0/operations': null }, ['webhooks[0].rules[0].operations: Required value']],
      [
        {
          '/webhooks/0/rules': [
            {
              operations: ['CREATE'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['*/status', 'pods/status', '*/*'],
            },
          ],
        },
        [
          'webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if \'*/status\' is present, must not specify pods/status',
          'webhooks[0].rules[0].resources: Invalid value: []string{"*/status", "pods/status", "*/*"}: if \'*/*\' is present, must not specify other resources',
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { url: 'https:///x' } },
        [
          'webhooks[0].clientConfig.url: Invalid value: "": host must be provided; desired format: https://host[/path]',
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { service: { namespace: 'a', name: 'b', path: '/a//b' } } },
        ['webhooks[0].clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'admissionregistration.orch.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'vwc-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      webhooks: [
        {
          name: 'v1.example.com',
          clientConfig: {
            service: { namespace: 'ns', name: 'svc', path: '/hook', port: 8443 },
            caBundle: 'YQ==',
          },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'None',
          admissionReviewVersions: ['v1', 'v1beta1'],
        },
        {
          name: 'v2.example.com',
          clientConfig: { url: 'https://hook.example.com/x' },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'None',
          admissionReviewVersions: ['v1', 'v1beta1'],
        },
      ],
    },
    accepted: [
      { '/webhooks/0/namespaceSelector': undefined },
      { '/webhooks/0/clientConfig/service/name': 'a'.repeat(253) },
      { '/webhooks/0/clientConfig/caBundle': '' },
      { '/webhooks/0/clientConfig/service/port': 1 },
      { '/webhooks': undefined },
    ],
    refused: [
      [
        { '/webhooks/1/sideEffects': 'Bogus' },
        ['webhooks[1].sideEffects: Unsupported value: "Bogus": supported values: "None", "NoneOnDryRun"'],
      ],
      [
        { '/webhooks/1/objectSelector/matchExpressions': [{}] },
        [
          'webhooks[1].objectSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
          'webhooks[1].objectSelector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
          `webhooks[1].objectSelector.matchExpressions[0].key: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/webhooks/0/clientConfig/service/path': '-abc' },
        ['webhooks[0].clientConfig.service.path: Invalid value: "-abc": must start with a \'/\''],
      ],
      [
        { '/webhooks/0/name': 'changed' },
        [
          'webhooks[0].name: Invalid value: "changed": should be a domain with at least three segments separated by dots',
        ],
      ],
      [
        { '/webhooks/1/objectSelector/matchLabels': { '': 'sample' } },
        [
          'webhooks[1].objectSelector.matchLabels: Invalid value: "": name part must be non-empty',
          `webhooks[1].objectSelector.matchLabels: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { url: 'https://u:p@a.b/x' } },
        ['webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'admissionregistration.orch.io/v1beta1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'vwc-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      webhooks: [
        {
          name: 'v1.example.com',
          clientConfig: {
            service: { namespace: 'ns', name: 'svc', path: '/hook', port: 8443 },
            caBundle: 'YQ==',
          },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'Some',
          admissionReviewVersions: ['v1beta1'],
        },
        {
          name: 'v2.example.com',
          clientConfig: { url: 'https://hook.example.com/x' },
          rules: [
            {
              operations: ['CREATE', 'UPDATE'],
              apiGroups: ['apps'],
              apiVersions: ['v1'],
              resources: ['deployments'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Ignore',
          matchPolicy: 'Equivalent',
          namespaceSelector: { matchLabels: { hooked: 'never' } },
          objectSelector: { matchLabels: { hooked: 'never' } },
          timeoutSeconds: 5,
          sideEffects: 'Some',
          admissionReviewVersions: ['v1beta1'],
        },
      ],
    },
    accepted: [
      { '/webhooks/0/namespaceSelector/matchLabels': undefined },
      { '/webhooks/0/rules/0/apiGroups/0': 'Not_Valid!' },
      { '/webhooks/0/rules/0/resources/0': 'a'.repeat(300) },
      {
        '/webhooks/0/rules': [
          { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] },
        ],
      },
      {
        '/webhooks/0/rules': [
          {
            operations: ['CREATE'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods', 'pods/status', 'pods/*'],
          },
        ],
      },
    ],
    refused: [
      [
        { '/webhooks/1/namespaceSelector/matchLabels': { '': 'sample' } },
        [
          'webhooks[1].namespaceSelector.matchLabels: Invalid value: "": name part must be non-empty',
          `webhooks[1].namespaceSelector.matchLabels: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/webhooks/1/admissionReviewVersions/0': 'a/b' },
        [
          "webhooks[1].admissionReviewVersions[0]: Invalid value: \"a/b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
          'webhooks[1].admissionReviewVersions: Invalid value: []string{"a/b"}: must include at least one of v1, v1beta1',
        ],
      ],
      [
        { '/webhooks/1/rules/0/operations': ['a b', ' '] },
        [
          'webhooks[1].rules[0].operations[0]: Unsupported value: "a b": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
          'webhooks[1].rules[0].operations[1]: Unsupported value: " ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        ],
      ],
      [
        { '/webhooks/1/namespaceSelector/matchExpressions': [{}] },
        [
          'webhooks[1].namespaceSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
          'webhooks[1].namespaceSelector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
          `webhooks[1].namespaceSelector.matchExpressions[0].key: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/webhooks/0/objectSelector/matchLabels': { 'A.b/k': 'v' } },
        [`webhooks[0].objectSelector.matchLabels: Invalid value: "A.b/k": prefix part ${subdomain1123}`],
      ],
      [
        { '/webhooks/0/clientConfig': { url: 'http://a.b/x' } },
        [
          'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
        ],
      ],
      [
        { '/webhooks/0/clientConfig': { url: '' } },
        [
          'webhooks[0].clientConfig.url: Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
          'webhooks[0].clientConfig.url: Invalid value: "": host must be provided; desired format: https://host[/path]',
        ],
      ],
    ],
  },
];
