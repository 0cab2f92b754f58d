import { label1123, labelValue, qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const serviceWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        type: 'NodePort',
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
          { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP', nodePort: 31053 },
        ],
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 100 } },
        externalTrafficPolicy: 'Cluster',
        publishNotReadyAddresses: true,
        externalIPs: ['1.2.3.4'],
      },
    },
    accepted: [
      { '/spec/topologyKeys': ['a b', ' '] },
      { '/spec/ports/1/targetPort': undefined },
      { '/spec/sessionAffinityConfig/clientIP/timeoutSeconds': 1 },
      { '/spec/loadBalancerIP': '' },
      { '/spec/ports/0/appProtocol': 'changed' },
      { '/spec/externalName': '../x' },
      { '/spec/clusterIP': '0.0.0.0' },
    ],
    refused: [
      [
        { '/spec/selector': { '': 'sample' } },
        [
          'spec.selector: Invalid value: "": name part must be non-empty',
          `spec.selector: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/clusterIPs': ['sample'] },
        [
          'spec.clusterIPs: Invalid value: []string{"sample"}: must be empty when clusterIP is empty',
          'spec.clusterIPs[0]: Invalid value: "sample": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
      ],
      [
        { '/metadata/generateName': '-abc' },
        [
          "metadata.generateName: Invalid value: \"-abc\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/ports/1/protocol': 'a'.repeat(300) },
        [
          `spec.ports[1].protocol: Unsupported value: "${'a'.repeat(300)}": supported values: "SCTP", "TCP", "UDP"`,
        ],
      ],
      [
        { '/spec/ports/0/targetPort': -1 },
        ['spec.ports[0].targetPort: Invalid value: -1: must be between 1 and 65535, inclusive'],
      ],
      [
        { '/spec/healthCheckNodePort': 70000 },
        [
          'spec.healthCheckNodePort: Invalid value: 70000: HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
        ],
      ],
      [
        { '/spec/loadBalancerSourceRanges': [''] },
        [
          "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
          'spec.LoadBalancerSourceRanges: Invalid value: "[]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
        ],
      ],
      [
        { '/spec/externalIPs/0': 'UpperCase' },
        [
          'spec.externalIPs[0]: Invalid value: "UpperCase": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
      ],
      [
        { '/spec/type': 'Not_Valid!' },
        [
          'spec.type: Unsupported value: "Not_Valid!": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
        ],
      ],
      [{ '/spec/ports': [] }, ['spec.ports: Required value']],
      [
        { '/spec/externalTrafficPolicy': 'a/b' },
        [
          'spec.externalTrafficPolicy: Invalid value: "a/b": ExternalTrafficPolicy must be empty, Cluster or Local',
        ],
      ],
      [
        { '/spec/selector': { k: 'bad value!' } },
        [`spec.selector: Invalid value: "bad value!": ${labelValue}`],
      ],
      [
        { '/metadata/annotations': { 'bad key!': 'v' } },
        [`metadata.annotations: Invalid value: "bad key!": ${qualifiedPart}`],
      ],
      [
        {
          '/spec/ports': [
            { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
            { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP', nodePort: 31053 },
            { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' },
          ],
        },
        ['spec.ports[2].name: Duplicate value: "http"', 'spec.ports[2]: Duplicate value: <any>'],
      ],
      [
        { '/metadata/name': 'a:b' },
        [
          "metadata.name: Invalid value: \"a:b\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        ],
      ],
      [
        { '/spec/clusterIP': 'UpperCase' },
        [
          'spec.clusterIPs[0]: Invalid value: "UpperCase": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ],
      ],
      [{ '/spec/ports/0/name': '-abc' }, [`spec.ports[0].name: Invalid value: "-abc": ${label1123}`]],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc-lb', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'web' },
        ports: [{ port: 443, targetPort: 8443 }],
        loadBalancerIP: '5.6.7.8',
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        externalTrafficPolicy: 'Local',
        allocateLoadBalancerNodePorts: true,
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv4'],
      },
    },
    accepted: [
      { '/spec/clusterIP': '127.0.0.1' },
      { '/spec/ports/0/nodePort': 1 },
      { '/spec/externalName': ' lead' },
    ],
    refused: [
      [
        { '/spec/loadBalancerSourceRanges/0': ' lead' },
        [
          'spec.LoadBalancerSourceRanges: Invalid value: "[ lead]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
        ],
      ],
      [
        { '/spec/type': 'naïve' },
        [
          'spec.type: Unsupported value: "naïve": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
          "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        ],
      ],
      [
        { '/metadata/finalizers': ['a'.repeat(300)] },
        [
          `metadata.finalizers: Invalid value: "${'a'.repeat(300)}": name part must be no more than 63 characters`,
          `metadata.finalizers[0]: Invalid value: "${'a'.repeat(300)}": name is neither a standard finalizer name nor is it fully qualified`,
        ],
      ],
      [
        { '/spec/sessionAffinity': '../x' },
        ['spec.sessionAffinity: Unsupported value: "../x": supported values: "ClientIP", "None"'],
      ],
      [
        { '/metadata/labels': { ['a'.repeat(64)]: 'sample' }, '/spec/externalTrafficPolicy': '../x' },
        [
          `metadata.labels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
          'spec.externalTrafficPolicy: Invalid value: "../x": ExternalTrafficPolicy must be empty, Cluster or Local',
        ],
      ],
      [
        { '/metadata/generateName': 'a'.repeat(300) },
        [`metadata.generateName: Invalid value: "${'a'.repeat(300)}": must be no more than 63 characters`],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc-ext', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { type: 'ExternalName', externalName: 'db.example.com' },
    },
    accepted: [{ '/spec/ipFamilyPolicy': '10.5.0.0/33' }],
    refused: [
      [
        { '/spec/selector': { ['a'.repeat(64)]: 'sample' } },
        [`spec.selector: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 63 characters`],
      ],
    ],
    changed: [{ '/spec/ports': [{ name: 'sample', protocol: 'TCP', port: 7, targetPort: 7, nodePort: 7 }] }],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc-hl', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] },
    },
    refused: [
      [
        { '/spec/ports': [{ port: 80 }, {}] },
        [
          'spec.ports[0].name: Required value',
          'spec.ports[1].name: Required value',
          'spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
        ],
      ],
    ],
  },
];
