import { qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const nodeWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        podCIDR: '10.244.0.0/24',
        podCIDRs: ['10.244.0.0/24'],
        providerID: 'cloud://1',
        unschedulable: true,
        taints: [
          { key: 'dedicated', value: 'x', effect: 'NoSchedule' },
          { key: 'slow', effect: 'NoExecute', timeAdded: '2020-01-01T00:00:00Z' },
        ],
      },
    },
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '110' },
      allocatable: { cpu: '3500m', memory: '7Gi' },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
          lastHeartbeatTime: '2020-01-01T00:00:00Z',
        },
        {
          type: 'MemoryPressure',
          status: 'False',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
      addresses: [
        { type: 'InternalIP', address: '192.168.0.1' },
        { type: 'ExternalIP', address: '5.6.7.8' },
        { type: 'Hostname', address: 'node-a' },
      ],
      daemonEndpoints: { nodeAgentEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: 'm',
        systemUUID: 's',
        bootID: 'b',
        kernelVersion: '5.4',
        osImage: 'Linux',
        containerRuntimeVersion: 'cri://1',
        nodeAgentVersion: 'v1.20.2',
        orchProxyVersion: 'v1.20.2',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      images: [{ names: ['a:1', 'a@sha256:x'], sizeBytes: 123 }],
      volumesInUse: ['v1'],
      volumesAttached: [{ name: 'v1', devicePath: '/dev/x' }],
    },
    accepted: [
      // The gate of two families is off: what follows the first range is dropped.
      { '/spec/podCIDRs': ['10.244.0.0/24', '10.244.0.0/24'] },
      { '/spec/externalID': 'UpperCase' },
      { '/spec/providerID': undefined },
      { '/metadata/name': 'a'.repeat(63) },
    ],
    refused: [
      [{ '/spec/podCIDR': 'a/b' }, ['spec.podCIDRs[0]: Invalid value: []string{"a/b"}: must be valid CIDR']],
      [
        { '/metadata/annotations': { 'scheduler.alpha.orch.io/taints': '[{"key":"a b","effect":"Q"}]' } },
        [
          `metadata.annotations.scheduler.alpha.orch.io/taints[0].key: Invalid value: "a b": ${qualifiedPart}`,
          'metadata.annotations.scheduler.alpha.orch.io/taints[0].effect: Unsupported value: "Q": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ],
      ],
      [
        { '/metadata/annotations': { 'scheduler.alpha.orch.io/taints': '[{}' } },
        [
          'metadata.annotations: Invalid value: "scheduler.alpha.orch.io/taints": unexpected end of JSON input',
        ],
      ],
      [
        { '/metadata/annotations': { 'scheduler.alpha.orch.io/preferAvoidPods': 'nope' } },
        [
          "metadata.annotations.AvoidPods: Invalid value: \"scheduler.alpha.orch.io/preferAvoidPods\": invalid character 'o' in literal null (expecting 'u')",
        ],
      ],
      [
        {
          '/metadata/annotations': {
            'scheduler.alpha.orch.io/preferAvoidPods':
              '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":"x"}}}]}',
          },
        },
        [
          'metadata.annotations.AvoidPods: Invalid value: "scheduler.alpha.orch.io/preferAvoidPods": json: cannot unmarshal string into Go struct field OwnerReference.preferAvoidPods.podSignature.podController.controller of type bool',
        ],
      ],
      [
        {
          '/metadata/annotations': {
            'scheduler.alpha.orch.io/preferAvoidPods':
              '{"preferAvoidPods":[{"podSignature":{"podController":{"controller":false}}},{}]}',
          },
        },
        [
          'metadata.annotations.scheduler.alpha.orch.io/preferAvoidPods[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller',
          'metadata.annotations.scheduler.alpha.orch.io/preferAvoidPods[1].PodSignature: Required value',
        ],
      ],
      [{ '/spec/taints/0/effect': '' }, ['metadata.taints[0].effect: Required value']],
      [
        { '/spec/taints/0/key': ' lead' },
        [`metadata.taints[0].key: Invalid value: " lead": ${qualifiedPart}`],
      ],
      [
        { '/spec/taints/1/value': 'a'.repeat(300) },
        [`metadata.taints[1].value: Invalid value: "${'a'.repeat(300)}": must be no more than 63 characters`],
      ],
      [
        { '/spec/taints/0/effect': '../x' },
        [
          'metadata.taints[0].effect: Unsupported value: "../x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ],
      ],
    ],
    changed: [{ '/spec/taints/0/key': 'UpperCase' }, { '/spec/taints/1/key': 'changed' }],
    statusChanged: [
      { '/status/nodeInfo/osImage': '-abc' },
      { '/status/nodeInfo/kernelVersion': '../x' },
      { '/status/images/0/sizeBytes': 1 },
      { '/status/nodeInfo/containerRuntimeVersion': '' },
      { '/status/conditions/0/status': undefined },
      { '/status/nodeInfo/machineID': 'naïve' },
      { '/status/volumesInUse/0': ' lead' },
      { '/status/conditions/0/reason': '-abc' },
      { '/status/conditions/0/lastTransitionTime': '2020-02-03T04:05:06.123456789Z' },
      { '/spec/taints/1/effect': 'noschedule' },
      { '/spec/taints/1/value': 'changed' },
    ],
  },
];
