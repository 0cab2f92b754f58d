import { label1123, labelValue, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
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
        { '/spec/ports/0/protocol': 'ICMP' },
        ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
      ],
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
  {
    body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
    accepted: [
      { '/spec/clusterIP': 'None' },
      { '/spec/type': 'NodePort' },
      {
        '/spec/ports': [
          { port: 80, name: 'a', protocol: 'TCP' },
          { port: 80, name: 'b', protocol: 'UDP' },
        ],
        '/spec/type': 'NodePort',
      },
      { '/spec/ports': undefined, '/spec/type': 'ExternalName', '/spec/externalName': 'a.example.com' },
      { '/spec/type': 'NodePort', '/spec/externalTrafficPolicy': 'Local' },
      { '/spec/clusterIP': '192.168.0.1' },
      { '/spec/clusterIP': '10.0.0.255' },
      { '/spec/clusterIP': '10.0.0.1' },
      { '/spec/ipFamilyPolicy': 'PreferDualStack' },
      { '/spec/sessionAffinity': 'ClientIP', '/spec/sessionAffinityConfig': {} },
      { '/spec/topologyKeys': ['*'] },
      { '/spec/type': 'LoadBalancer', '/spec/allocateLoadBalancerNodePorts': false },
      { '/spec/allocateLoadBalancerNodePorts': true },
      { '/spec/ports': [{ port: 80, targetPort: 90 }], '/spec/clusterIP': 'None' },
    ],
    refused: [
      [
        { '/spec/ports': [{ port: 70000 }] },
        [
          'spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
          'spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/ports': [{ port: 80 }, { port: 81 }] },
        ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
      ],
      [
        { '/spec/ports': [{ port: 80, protocol: 'ICMP' }] },
        ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
      ],
      [
        { '/spec/ports': [{ port: 80, nodePort: 32002 }] },
        ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
      ],
      [
        {
          '/spec/ports': [
            { port: 80, name: 'a', nodePort: 32003 },
            { port: 81, name: 'b', nodePort: 32003 },
          ],
          '/spec/type': 'NodePort',
        },
        ['spec.ports[1].nodePort: Duplicate value: 32003'],
      ],
      [
        { '/spec/clusterIP': '10.0.0.79', '/spec/clusterIPs': ['10.0.0.80'] },
        ['spec.clusterIPs: Invalid value: []string{"10.0.0.80"}: element [0] must match clusterIP'],
      ],
      [
        { '/spec/clusterIPs': ['10.0.0.79', '10.0.0.80', '10.0.0.81'] },
        ['spec.clusterIPs: Invalid value: []string{"10.0.0.79"}: must be empty when clusterIP is empty'],
      ],
      [{ '/spec/ports': undefined, '/spec/type': 'ExternalName' }, ['spec.externalName: Required value']],
      [
        { '/spec/type': 'NodePort', '/spec/clusterIP': 'None' },
        ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
      ],
      [
        { '/spec/type': 'LoadBalancer', '/spec/clusterIP': 'None' },
        ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services'],
      ],
      [
        { '/spec/sessionAffinity': 'Bogus' },
        ['spec.sessionAffinity: Unsupported value: "Bogus": supported values: "ClientIP", "None"'],
      ],
      [
        {
          '/spec/sessionAffinity': 'ClientIP',
          '/spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: 0 } },
        },
        [
          'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
        ],
      ],
      [
        { '/spec/type': 'NodePort', '/spec/externalTrafficPolicy': 'Bogus' },
        [
          'spec.externalTrafficPolicy: Invalid value: "Bogus": ExternalTrafficPolicy must be empty, Cluster or Local',
        ],
      ],
      [
        { '/spec/type': 'LoadBalancer', '/spec/healthCheckNodePort': 32005 },
        [
          'spec.healthCheckNodePort: Invalid value: 32005: HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
        ],
      ],
      [
        { '/spec/loadBalancerSourceRanges': ['10.0.0.0/8'] },
        ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
      ],
      [
        { '/spec/ports': [{ port: 10250 }], '/spec/type': 'LoadBalancer' },
        [
          'spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by nodeagent',
        ],
      ],
      // What only some types have is looked at where all else is right.
      [
        { '/metadata/labels': { '-': 'v' }, '/spec/externalTrafficPolicy': 'Local' },
        ['metadata.labels: Invalid value: "-": <any>'],
      ],
      [
        { '/spec/externalIPs': ['1.2.3.4'], '/spec/externalTrafficPolicy': 'Local' },
        [
          'spec.externalTrafficPolicy: Invalid value: "Local": ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'] },
    },
    kept: [
      [
        {
          '/spec/ports': undefined,
          '/spec/clusterIP': 'None',
          '/spec/clusterIPs': undefined,
          '/spec/selector': { a: 'b' },
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.ports: Required value',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'b', targetPort: 'x' },
        ],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [{ '/spec/ports': [{ port: 80 }], '/spec/clusterIPs': undefined, '/spec/ipFamilies': ['IPv4'] }],
    kept: [
      [
        {
          '/spec/ports': undefined,
          '/spec/clusterIP': 'None',
          '/spec/clusterIPs': undefined,
          '/spec/selector': { a: 'b' },
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.ports: Required value',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: 'None', selector: { a: 'b' } },
    },
    changed: [{ '/spec/selector': undefined, '/spec/ports': [{ port: 80 }] }],
    kept: [
      [
        { '/spec/clusterIP': undefined, '/spec/selector': undefined, '/spec/ports': [{ port: 80 }] },
        ['spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset'],
      ],
      [
        {
          '/spec/clusterIP': undefined,
          '/spec/selector': undefined,
          '/spec/ports': [{ port: 80, appProtocol: 'Bad Proto!' }],
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          `spec.ports[0].appProtocol: Invalid value: "Bad Proto!": ${qualifiedPart}`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] },
    },
    kept: [
      [
        { '/spec/clusterIP': undefined, '/spec/clusterIPs': [] },
        ['spec.clusterIPs[0]: Invalid value: []string{}: primary clusterIP can not be unset'],
      ],
      [
        { '/spec/clusterIP': undefined },
        ['spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        type: 'NodePort',
        ports: [{ port: 80, nodePort: 30001 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [{ '/spec/ports': [{ port: 80, nodePort: 80 }], '/spec/clusterIPs': undefined }],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        type: 'NodePort',
        ports: [{ port: 80, nodePort: 32001 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [
      {
        '/spec/type': undefined,
        '/spec/ports': [
          { port: 80, name: 'a' },
          { port: 81, name: 'b', targetPort: 'x' },
        ],
        '/spec/clusterIPs': undefined,
      },
    ],
    kept: [
      [
        {
          '/spec/type': undefined,
          '/spec/ports': [{ port: 80 }],
          '/spec/clusterIP': undefined,
          '/spec/clusterIPs': ['10.0.0.78'],
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.78"}: may not change once set',
          'spec.clusterIPs: Invalid value: []string{"10.0.0.78"}: must be empty when clusterIP is empty',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        type: 'NodePort',
        ports: [
          { port: 80, name: 'a', protocol: 'TCP', nodePort: 30001 },
          { port: 80, name: 'b', protocol: 'UDP', nodePort: 30002 },
        ],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    kept: [
      [
        {
          '/spec/type': undefined,
          '/spec/ports': [{ port: 80 }],
          '/spec/clusterIP': '10.0.0.0',
          '/spec/clusterIPs': undefined,
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        type: 'LoadBalancer',
        ports: [{ port: 80, nodePort: 30001 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [
      {
        '/spec/type': 'ExternalName',
        '/spec/ports': undefined,
        '/spec/clusterIP': undefined,
        '/spec/clusterIPs': undefined,
        '/spec/externalName': '1.2.3.4',
      },
    ],
    kept: [
      [
        {
          '/spec/type': undefined,
          '/spec/ports': [{ port: 80 }],
          '/spec/clusterIP': 'None',
          '/spec/clusterIPs': undefined,
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.clusterIPs: Required value',
        ],
      ],
      [
        {
          '/spec/type': undefined,
          '/spec/ports': undefined,
          '/spec/clusterIP': 'None',
          '/spec/clusterIPs': undefined,
          '/spec/selector': { a: 'b' },
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.ports: Required value',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        ports: [{ port: 80, nodePort: 30001 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [{ '/spec/type': 'NodePort', '/spec/ports': [{ port: 80 }], '/spec/clusterIPs': undefined }],
    kept: [
      [
        {
          '/spec/type': undefined,
          '/spec/externalTrafficPolicy': undefined,
          '/spec/ports': [{ port: 80 }],
          '/spec/clusterIP': '10.0.0.79',
          '/spec/clusterIPs': ['10.0.0.79'],
        },
        ['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.79"}: may not change once set'],
      ],
      [
        {
          '/spec/type': 'ExternalName',
          '/spec/externalTrafficPolicy': undefined,
          '/spec/ports': undefined,
          '/spec/clusterIP': undefined,
          '/spec/clusterIPs': undefined,
          '/spec/externalName': 'Bad_Name!',
        },
        [`spec.externalName: Invalid value: "Bad_Name!": ${subdomain1123}`],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { type: 'ExternalName', externalName: 'a.example.com' },
    },
    changed: [
      {
        '/spec/type': 'NodePort',
        '/spec/externalName': undefined,
        '/spec/ports': [{ port: 80, nodePort: 32001 }],
      },
    ],
    kept: [
      [
        {
          '/spec/type': undefined,
          '/spec/externalName': undefined,
          '/spec/ports': [{ port: 80 }, { port: 81 }],
        },
        ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        externalIPs: ['1.2.3.4'],
        ports: [{ port: 80 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    changed: [
      {
        '/spec/externalIPs': undefined,
        '/spec/clusterIPs': undefined,
        '/spec/type': 'LoadBalancer',
        '/spec/externalTrafficPolicy': 'Local',
      },
    ],
    kept: [
      [
        {
          '/spec/externalIPs': undefined,
          '/spec/clusterIP': undefined,
          '/spec/clusterIPs': ['10.0.0.79', 'fd00::2'],
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.79"}: may not change once set',
          'spec.clusterIPs: Invalid value: []string{"10.0.0.79"}: must be empty when clusterIP is empty',
        ],
      ],
      [
        {
          '/spec/externalIPs': undefined,
          '/spec/clusterIP': 'None',
          '/spec/clusterIPs': undefined,
          '/spec/type': 'NodePort',
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
        ports: [{ port: 80 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    kept: [
      [
        {
          '/spec/sessionAffinity': undefined,
          '/spec/sessionAffinityConfig': undefined,
          '/spec/clusterIP': '10.0.0.77',
          '/spec/clusterIPs': undefined,
        },
        [
          'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
          'spec.clusterIPs: Required value',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: {
        ipFamilyPolicy: 'SingleStack',
        ports: [{ port: 80 }],
        clusterIP: '10.0.0.7',
        clusterIPs: ['10.0.0.7'],
      },
    },
    kept: [
      [
        {
          '/spec/ipFamilyPolicy': undefined,
          '/spec/ports': undefined,
          '/spec/clusterIP': undefined,
          '/spec/clusterIPs': undefined,
          '/spec/type': 'ExternalName',
        },
        ['spec.externalName: Required value'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ipFamilies: ['IPv4'], ports: [{ port: 80 }], clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'] },
    },
    changed: [{ '/spec/ipFamilies': undefined, '/spec/clusterIPs': undefined, '/spec/type': 'LoadBalancer' }],
  },
];
