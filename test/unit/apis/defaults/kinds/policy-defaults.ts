import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const policyDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { selector: { noSuchField: {} } },
    },
    { '/spec/selector/noSuchField': undefined },
  ],
  [
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'a' },
      spec: {
        privileged: false,
        seLinux: { rule: 'MustRunAs' },
        runAsUser: { rule: 'MustRunAs' },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs', ranges: [{}] },
      },
    },
    {
      '/spec/privileged': undefined,
      '/spec/fsGroup/ranges/0/min': 0,
      '/spec/fsGroup/ranges/0/max': 0,
      '/spec/allowPrivilegeEscalation': true,
    },
  ],
  [
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'a' },
      spec: {
        hostIPC: false,
        seLinux: { rule: 'MustRunAs' },
        runAsUser: { rule: 'MustRunAs', ranges: [{}] },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs' },
        allowedProcMountTypes: [],
      },
    },
    {
      '/spec/hostIPC': undefined,
      '/spec/runAsUser/ranges/0/min': 0,
      '/spec/runAsUser/ranges/0/max': 0,
      '/spec/allowedProcMountTypes': undefined,
      '/spec/allowPrivilegeEscalation': true,
    },
  ],
  [
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'a' },
      spec: {
        seLinux: { rule: 'MustRunAs', seLinuxOptions: { level: null } },
        runAsUser: { rule: 'MustRunAs' },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs' },
      },
    },
    { '/spec/seLinux/seLinuxOptions/level': undefined, '/spec/allowPrivilegeEscalation': true },
  ],
  [
    {
      apiVersion: 'policy/v1beta1',
      kind: 'PodSecurityPolicy',
      metadata: { name: 'a' },
      spec: {
        seLinux: { rule: 'MustRunAs' },
        runAsUser: { rule: 'MustRunAs', noSuchField: {} },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs' },
      },
    },
    { '/spec/runAsUser/noSuchField': undefined, '/spec/allowPrivilegeEscalation': true },
  ],
];
