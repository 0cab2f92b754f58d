import { subdomain1123 } from '../core-pod/wording.ts';
import type { Refusal, WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const podSecurityPolicyWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: {
        name: 'psp-a',
        labels: { app: 'web' },
        annotations: { 'seccomp.security.alpha.orch.io/allowedProfileNames': '*' },
      },
      spec: {
        privileged: false,
        defaultAddCapabilities: ['A'],
        requiredDropCapabilities: ['ALL'],
        allowedCapabilities: ['NET_ADMIN'],
        volumes: ['configMap', 'secret', 'emptyDir'],
        hostNetwork: true,
        hostPorts: [{ min: 1, max: 100 }],
        hostPID: true,
        hostIPC: false,
        seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: 's0' } },
        runAsUser: { rule: 'MustRunAs', ranges: [{ min: 1, max: 10 }] },
        runAsGroup: { rule: 'MayRunAs', ranges: [{ min: 1, max: 10 }] },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs', ranges: [{ min: 5, max: 6 }] },
        readOnlyRootFilesystem: true,
        defaultAllowPrivilegeEscalation: false,
        allowPrivilegeEscalation: true,
        allowedHostPaths: [{ pathPrefix: '/var', readOnly: true }],
        allowedFlexVolumes: [{ driver: 'example.com/f' }],
        allowedCSIDrivers: [{ name: 'csi.example.com' }],
        allowedUnsafeSysctls: ['net.*'],
        forbiddenSysctls: ['vm.x'],
        allowedProcMountTypes: ['Default'],
        runtimeClass: { allowedRuntimeClassNames: ['a'], defaultRuntimeClassName: 'a' },
      },
    },
    accepted: [
      { '/spec/seLinux/seLinuxOptions/user': 'Not_Valid!' },
      { '/spec/requiredDropCapabilities/0': 'naïve' },
      { '/spec/fsGroup/ranges': [{ min: 5, max: 6 }, {}] },
      { '/spec/defaultAddCapabilities/0': '' },
      { '/spec/seLinux/seLinuxOptions/role': 'sample' },
      { '/spec/runAsUser': { rule: 'MustRunAs', ranges: [{ min: 1, max: 10 }], noSuchField: { a: [1] } } },
      { '/spec/seLinux/seLinuxOptions/type': 'UpperCase' },
      { '/spec/requiredDropCapabilities': ['Not_Valid!', '-x'] },
      { '/spec/defaultAllowPrivilegeEscalation': true },
      { '/spec/runAsGroup': { rule: 'RunAsAny' } },
      { '/spec/runtimeClass': { allowedRuntimeClassNames: ['*'], defaultRuntimeClassName: 'z' } },
    ],
    refused: [
      [
        {
          '/spec/requiredDropCapabilities': ['A'],
          '/spec/defaultAddCapabilities': ['A'],
          '/spec/allowedCapabilities': ['A', '*'],
        },
        [
          'requiredDropCapabilities: Invalid value: []core.Capability{"A"}: must be empty when all capabilities are allowed by a wildcard',
          'defaultAddCapabilities: Invalid value: "A": capability is listed in defaultAddCapabilities and requiredDropCapabilities',
          'allowedCapabilities: Invalid value: "A": capability is listed in allowedCapabilities and requiredDropCapabilities',
        ],
      ],
      [
        { '/spec/allowedFlexVolumes/0/driver': '' },
        ['spec.allowedFlexVolumes.allowedFlexVolumes[0].driver: Required value: must specify a driver'],
      ],
      [
        { '/spec/allowedCSIDrivers': [{ name: 'UPPER.example.com' }, { name: 'a_b' }, {}] },
        [
          `spec.allowedCSIDrivers.allowedCSIDriver[1].name: Invalid value: "a_b": ${subdomain1123}`,
          'spec.allowedCSIDrivers.allowedCSIDriver[2].name: Required value',
          `spec.allowedCSIDrivers.allowedCSIDriver[2].name: Invalid value: "": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/allowedCSIDrivers/0/name': 'a'.repeat(64), '/spec/forbiddenSysctls/0': '' },
        [
          'spec.allowedCSIDrivers.allowedCSIDriver[0].name: Too long: must have at most 63 bytes',
          'spec.forbiddenSysctls[0]: Invalid value: "": empty sysctl not allowed',
        ],
      ],
      [
        { '/spec/runtimeClass': { allowedRuntimeClassNames: ['a', 'b', 'a'], defaultRuntimeClassName: 'z' } },
        [
          'spec.runtimeClass.allowedRuntimeClassNames[2]: Duplicate value: "a"',
          'spec.runtimeClass.allowedRuntimeClassNames: Required value: default "z" must be allowed',
        ],
      ],
      [
        { '/spec/runtimeClass': { allowedRuntimeClassNames: ['*', 'a', '*'], defaultRuntimeClassName: 'A' } },
        [
          'spec.runtimeClass.allowedRuntimeClassNames[2]: Duplicate value: "*"',
          `spec.runtimeClass.defaultRuntimeClassName: Invalid value: "A": ${subdomain1123}`,
          'spec.runtimeClass.allowedRuntimeClassNames: Invalid value: []string{"*", "a", "*"}: if \'*\' is present, must not specify other RuntimeClass names',
        ],
      ],
      [
        {
          '/metadata/annotations': {
            'apparmor.security.beta.orch.io/defaultProfileName': 'sample',
            'apparmor.security.beta.orch.io/allowedProfileNames': 'runtime/default,localhost/a,b',
            'seccomp.security.alpha.orch.io/defaultProfileName': 'sample',
            'seccomp.security.alpha.orch.io/allowedProfileNames': '*,unconfined,localhost/../a',
          },
        },
        [
          'metadata.annotations[apparmor.security.beta.orch.io/defaultProfileName]: Invalid value: "sample": invalid AppArmor profile name: "sample"',
          'metadata.annotations[apparmor.security.beta.orch.io/allowedProfileNames]: Invalid value: "runtime/default,localhost/a,b": invalid AppArmor profile name: "b"',
          'metadata.annotations[seccomp.security.alpha.orch.io/defaultProfileName]: Invalid value: "sample": must be a valid seccomp profile',
          'metadata.annotations[seccomp.security.alpha.orch.io/allowedProfileNames]: Invalid value: "../a": must not contain \'..\'',
        ],
      ],
      [
        { '/spec/runAsGroup/rule': 'RunAsAny', '/spec/runAsGroup/ranges/0/min': -1 },
        [
          'spec.runAsGroup.ranges: Invalid value: []policy.IDRange{policy.IDRange{Min:-1, Max:10}}: Ranges must be empty',
        ],
      ],
      ...['MustRunAs', 'MayRunAs'].map(
        (rule): Refusal => [
          { '/spec/runAsGroup': { rule } },
          ['spec.runAsGroup.ranges: Invalid value: []policy.IDRange(nil): must provide at least one range'],
        ],
      ),
      [
        { '/spec/runAsGroup/ranges': [] },
        ['spec.runAsGroup.ranges: Invalid value: []policy.IDRange{}: must provide at least one range'],
      ],
      [
        { '/spec/runAsGroup': { rule: 'a', ranges: [{ min: 2, max: 1 }] } },
        [
          'spec.runAsGroup.rule: Unsupported value: "a": supported values: "MustRunAs", "RunAsAny", "MayRunAs"',
        ],
      ],
      [
        { '/spec/runAsGroup/ranges/0/min': 11, '/spec/runAsUser/rule': 'a', '/spec/seLinux/rule': 'a' },
        [
          'spec.runAsUser.rule: Unsupported value: "a": supported values: "MustRunAs", "MustRunAsNonRoot", "RunAsAny"',
          'spec.runAsGroup.ranges[0].min: Invalid value: 11: min cannot be greater than max',
          'spec.seLinux.rule: Unsupported value: "a": supported values: "MustRunAs", "RunAsAny"',
        ],
      ],
      [
        { '/spec/runAsGroup/rule': null },
        [
          'spec.runAsGroup.rule: Unsupported value: "": supported values: "MustRunAs", "RunAsAny", "MayRunAs"',
        ],
      ],
      [
        { '/spec/allowedHostPaths/0/pathPrefix': null },
        ['spec.allowedHostPaths[0]: Required value: is required'],
      ],
      [
        { '/spec/runAsUser/ranges/0/max': undefined },
        ['spec.runAsUser.ranges[0].min: Invalid value: 1: min cannot be greater than max'],
      ],
      [
        { '/spec/supplementalGroups/rule': 'a/b' },
        [
          'spec.supplementalGroups.rule: Unsupported value: "a/b": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
        ],
      ],
      [
        { '/spec/allowedUnsafeSysctls': [null] },
        ['spec.allowedUnsafeSysctls[0]: Invalid value: "": empty sysctl not allowed'],
      ],
      [
        { '/spec/seLinux': {} },
        ['spec.seLinux.rule: Unsupported value: "": supported values: "MustRunAs", "RunAsAny"'],
      ],
      [
        { '/spec/fsGroup/rule': undefined },
        ['spec.fsGroup.rule: Unsupported value: "": supported values: "MayRunAs", "MustRunAs", "RunAsAny"'],
      ],
      [
        { '/spec/runAsUser/ranges/0/min': -1 },
        ['spec.runAsUser.ranges[0].min: Invalid value: -1: min cannot be negative'],
      ],
      [{ '/metadata/name': 'a..b' }, [`metadata.name: Invalid value: "a..b": ${subdomain1123}`]],
      [
        { '/spec/volumes/0': '-abc', '/spec/runAsUser/rule': 'Not_Valid!' },
        [
          'spec.runAsUser.rule: Unsupported value: "Not_Valid!": supported values: "MustRunAs", "MustRunAsNonRoot", "RunAsAny"',
          'spec.volumes: Unsupported value: "-abc": supported values: "*", "awsElasticBlockStore", "azureDisk", "azureFile", "cephFS", "cinder", "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "fc", "flexVolume", "flocker", "gcePersistentDisk", "gitRepo", "glusterfs", "hostPath", "iscsi", "nfs", "persistentVolumeClaim", "photonPersistentDisk", "portworxVolume", "projected", "quobyte", "rbd", "scaleIO", "secret", "storageos", "vsphereVolume"',
        ],
      ],
    ],
    changed: [
      { '/spec/allowedFlexVolumes': undefined },
      { '/spec/allowedUnsafeSysctls/0': 'changed' },
      { '/spec/seLinux/seLinuxOptions/type': 'sample' },
      { '/spec/allowedCapabilities': ['a'.repeat(300)] },
      { '/spec/hostPorts/0/max': -1 },
      { '/spec/allowedHostPaths/0/pathPrefix': 'UpperCase' },
    ],
    kept: [
      [
        { '/spec/forbiddenSysctls/0': 'a'.repeat(300) },
        [
          `spec.forbiddenSysctls[0]: Invalid value: "${'a'.repeat(300)}": must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]`,
        ],
      ],
      [
        { '/spec/runAsGroup/rule': 'changed' },
        [
          'spec.runAsGroup.rule: Unsupported value: "changed": supported values: "MustRunAs", "RunAsAny", "MayRunAs"',
        ],
      ],
    ],
  },
];
