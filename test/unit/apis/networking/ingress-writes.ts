import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const ingressWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'networking.orch.io/v1',
      kind: 'Ingress',
      metadata: { name: 'ing-1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
        tls: [{ hosts: ['a.example.com', '*.b.example.com'], secretName: 'tls' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                {
                  path: '/x',
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { name: 'http' } } },
                },
                {
                  path: '/y',
                  pathType: 'Exact',
                  backend: { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } },
                },
              ],
            },
          },
          {
            host: '*.example.org',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 's2', port: { number: 8080 } } },
                },
              ],
            },
          },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb' }] } },
    accepted: [
      { '/spec/tls': [{ hosts: ['a.example.com', '*.b.example.com'], secretName: 'tls' }, {}] },
      {
        '/spec/rules/1/http/paths/0/backend/service': {
          name: 's2',
          port: { number: 8080 },
          noSuchField: { a: [1] },
        },
      },
    ],
    refused: [
      [
        { '/spec/rules/0/http/paths/0/backend/service/port/number': 80 },
        ['spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number'],
      ],
      [
        { '/spec/rules/0/http/paths/1/path': 'naïve' },
        ['spec.rules[0].http.paths[1].path: Invalid value: "naïve": must be an absolute path'],
      ],
      [
        { '/spec/rules/0/http/paths/1/backend/service': { name: 'sample' } },
        [
          'spec.rules[0].http.paths[1].backend: Invalid value: "": cannot set both resource and service backends',
        ],
      ],
      [
        { '/spec/tls/0/hosts': ['a'.repeat(300)] },
        [`spec.tls[0].hosts[0]: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`],
      ],
      [
        { '/spec/rules/0/http/paths/1/pathType': ' lead' },
        [
          'spec.rules[0].http.paths[1].pathType: Unsupported value: " lead": supported values: "Exact", "ImplementationSpecific", "Prefix"',
        ],
      ],
      [
        { '/spec/defaultBackend/service/name': 'a'.repeat(300) },
        [
          `spec.defaultBackend.service.name: Invalid value: "${'a'.repeat(300)}": must be no more than 63 characters`,
        ],
      ],
      [
        { '/spec/rules/1/http/paths/0/backend/service/port': {} },
        ['spec.rules[1].http.paths[0].backend: Required value: port name or number is required'],
      ],
      [
        { '/spec/defaultBackend/service/port/number': -1 },
        [
          'spec.defaultBackend.service.port.number: Invalid value: -1: must be between 1 and 65535, inclusive',
        ],
      ],
      [{ '/spec/tls/0/hosts/1': '' }, [`spec.tls[0].hosts[1]: Invalid value: "": ${subdomain1123}`]],
      [
        { '/spec/rules/0/http/paths/1/backend': {} },
        ['spec.rules[0].http.paths[1].backend: Invalid value: "": resource or service backend is required'],
      ],
      [{ '/spec/rules/1/http/paths': undefined }, ['spec.rules[1].http.paths: Required value']],
      [
        { '/spec/rules': [], '/spec/defaultBackend': undefined },
        [
          'spec: Invalid value: []networking.IngressRule{}: either `defaultBackend` or `rules` must be specified',
        ],
      ],
      [
        { '/spec/rules': undefined, '/spec/defaultBackend': undefined },
        [
          'spec: Invalid value: []networking.IngressRule(nil): either `defaultBackend` or `rules` must be specified',
        ],
      ],
      [
        { '/spec/defaultBackend/resource': {} },
        ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
      ],
      [
        { '/spec/tls/0/hosts': ['a b', ' '] },
        [
          `spec.tls[0].hosts[0]: Invalid value: "a b": ${subdomain1123}`,
          `spec.tls[0].hosts[1]: Invalid value: " ": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/defaultBackend/service/port/number': 0 },
        ['spec.defaultBackend: Required value: port name or number is required'],
      ],
      [{ '/spec/rules/0/host': '../x' }, [`spec.rules[0].host: Invalid value: "../x": ${subdomain1123}`]],
      [{ '/metadata/name': 'a_b' }, [`metadata.name: Invalid value: "a_b": ${subdomain1123}`]],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
      [
        {
          '/spec/rules/0/http/paths/1/backend/resource/apiGroup': ' lead',
          '/spec/rules/0/http/paths/1/backend/resource/kind': 'a/b',
        },
        [
          `spec.rules[0].http.paths[1].backend.resource.apiGroup: Invalid value: " lead": ${subdomain1123}`,
          'spec.rules[0].http.paths[1].backend.resource.kind: Invalid value: "a/b": may not contain \'/\'',
        ],
      ],
    ],
    changed: [
      { '/spec/rules/0/http/paths/0/backend/service/port/name': 'changed' },
      { '/spec/rules/1/http/paths/0/pathType': 'Exact' },
      { '/spec/rules/0/http/paths/1/backend/resource/apiGroup': undefined },
      { '/spec/tls': undefined },
      { '/spec/rules/0/http/paths/0/backend/service/port': { name: 'http', noSuchField: { a: [1] } } },
    ],
    kept: [
      [
        { '/spec/rules/0/http/paths/0/path': 'changed' },
        ['spec.rules[0].http.paths[0].path: Invalid value: "changed": must be an absolute path'],
      ],
      [
        { '/spec/rules/0/http/paths/1/pathType': 'a/b' },
        [
          'spec.rules[0].http.paths[1].pathType: Unsupported value: "a/b": supported values: "Exact", "ImplementationSpecific", "Prefix"',
        ],
      ],
      [
        { '/spec/rules/0/http/paths/0/backend/service/name': '' },
        ['spec.rules[0].http.paths[0].backend.service.name: Required value'],
      ],
      [
        { '/spec/rules/0/http/paths/1/backend/resource/name': '' },
        ['spec.rules[0].http.paths[1].backend.resource.name: Required value: name is required'],
      ],
      [
        { '/spec/rules/1/http/paths/0/backend/service/name': '../x' },
        [
          "spec.rules[1].http.paths[0].backend.service.name: Invalid value: \"../x\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/defaultBackend/service/name': '../x' },
        [
          "spec.defaultBackend.service.name: Invalid value: \"../x\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
    ],
    statusChanged: [{ '/status/loadBalancer/ingress/0/ports': [{ port: 7, protocol: 'TCP' }] }],
    statusKept: [
      [
        { '/status/loadBalancer/ingress/1/ip': 'a'.repeat(300) },
        [
          `status.loadBalancer.ingress[1].ip: Invalid value: "${'a'.repeat(300)}": must be a valid IP address`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'networking.orch.io/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'ing-b1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        ingressClassName: 'nginx',
        backend: { serviceName: 's', servicePort: 80 },
        tls: [{ hosts: ['a.example.com'], secretName: 'tls' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/x', pathType: 'Prefix', backend: { serviceName: 's', servicePort: 'http' } },
                { path: '/z.*', backend: { serviceName: 's3', servicePort: 81 } },
              ],
            },
          },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb' }] } },
    refused: [
      [
        { '/spec/rules/0/http/paths/0/backend/servicePort': 70000 },
        [
          'spec.rules[0].http.paths[0].backend.servicePort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        ],
      ],
      [{ '/spec/backend': {} }, ['spec.backend: Invalid value: "": resource or service backend is required']],
      [
        { '/spec/rules/0/http/paths/1/backend/servicePort': 0, '/metadata/finalizers': ['a b', ' '] },
        [
          `metadata.finalizers: Invalid value: "a b": ${qualifiedPart}`,
          `metadata.finalizers: Invalid value: " ": ${qualifiedPart}`,
          'metadata.finalizers[0]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
          'metadata.finalizers[1]: Invalid value: " ": name is neither a standard finalizer name nor is it fully qualified',
          'spec.rules[0].http.paths[1].backend: Required value: port name or number is required',
        ],
      ],
    ],
    changed: [
      {
        '/spec/rules/0/http/paths/1/backend': { serviceName: 's3', servicePort: 81, noSuchField: { a: [1] } },
      },
    ],
    kept: [
      [
        { '/spec/rules/0/http/paths/0/backend/serviceName': '../x' },
        [
          "spec.rules[0].http.paths[0].backend.serviceName: Invalid value: \"../x\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
    ],
    statusChanged: [{ '/status': {} }, { '/status/loadBalancer': {} }, { '/spec/rules/0/host': 'changed' }],
    statusKept: [
      [
        { '/status/loadBalancer/ingress/0/hostname': 'a'.repeat(300) },
        [
          `status.loadBalancer.ingress[0].hostname: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'extensions/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'ing-ext', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        ingressClassName: 'nginx',
        backend: { serviceName: 's', servicePort: 80 },
        tls: [{ hosts: ['a.example.com'], secretName: 'tls' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [
                { path: '/x', pathType: 'Prefix', backend: { serviceName: 's', servicePort: 'http' } },
                { path: '/z.*', backend: { serviceName: 's3', servicePort: 81 } },
              ],
            },
          },
        ],
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }, { hostname: 'lb' }] } },
    accepted: [{ '/spec/rules/0/http': undefined }],
    refused: [
      [{ '/spec/backend/servicePort': 0 }, ['spec.backend: Required value: port name or number is required']],
      [
        { '/spec/backend/resource': { noSuchField: { a: [1] } } },
        ['spec.backend: Invalid value: "": cannot set both resource and service backends'],
      ],
      [
        { '/spec/backend/serviceName': 'UpperCase' },
        [
          "spec.backend.serviceName: Invalid value: \"UpperCase\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/rules/0/http/paths/0/backend/serviceName': '-abc' },
        [
          "spec.rules[0].http.paths[0].backend.serviceName: Invalid value: \"-abc\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        {
          '/spec/ingressClassName': 'a/b',
          '/spec/backend': {},
          '/spec/rules/0/http/paths/0/backend/resource': {},
        },
        [
          'spec.backend: Invalid value: "": resource or service backend is required',
          'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both resource and service backends',
          `spec.ingressClassName: Invalid value: "a/b": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/backend/servicePort': 0, '/metadata/name': 'a'.repeat(254) },
        [
          `metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
          'spec.backend: Required value: port name or number is required',
        ],
      ],
    ],
    changed: [{ '/spec/rules/0/http/paths/1/backend/servicePort': 82 }],
    kept: [
      [
        { '/spec/ingressClassName': ' lead' },
        [`spec.ingressClassName: Invalid value: " lead": ${subdomain1123}`],
      ],
      [
        { '/spec/backend/servicePort': 2147483647 },
        ['spec.backend.servicePort: Invalid value: 2147483647: must be between 1 and 65535, inclusive'],
      ],
    ],
    statusChanged: [
      { '/status/loadBalancer/ingress/0/ports': [{}] },
      { '/status/loadBalancer/ingress/0/ip': '0.0.0.0' },
      { '/status/loadBalancer': undefined },
    ],
    statusKept: [
      [
        { '/status/loadBalancer/ingress/1/hostname': ' lead' },
        [`status.loadBalancer.ingress[1].hostname: Invalid value: " lead": ${subdomain1123}`],
      ],
    ],
  },
];
