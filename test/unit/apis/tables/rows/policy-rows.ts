import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const policyRows: readonly RowCase[] = [
  [
    'policy/v1beta1.PodDisruptionBudget',
    'poddisruptionbudgets',
    { spec: { minAvailable: '50%' } },
    ['a', '50%', 'N/A', 0, '30s'],
  ],
  ['policy/v1beta1.PodDisruptionBudget', 'poddisruptionbudgets', {}, ['a', 'N/A', 'N/A', 0, '30s']],
  [
    'policy/v1beta1.PodSecurityPolicy',
    'podsecuritypolicies',
    {
      spec: {
        privileged: true,
        volumes: ['secret', 'emptyDir', 'secret'],
        seLinux: { rule: 'MustRunAs' },
        runAsUser: { rule: 'MustRunAs' },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs' },
        readOnlyRootFilesystem: true,
      },
    },
    ['a', 'true', '', 'MustRunAs', 'MustRunAs', 'MustRunAs', 'RunAsAny', true, 'secret,emptyDir,secret'],
  ],
  [
    'policy/v1beta1.PodSecurityPolicy',
    'podsecuritypolicies',
    {
      spec: {
        allowedCapabilities: ['NET_ADMIN'],
        volumes: ['secret'],
        seLinux: { rule: 'MustRunAs' },
        runAsUser: { rule: 'MustRunAs' },
        supplementalGroups: { rule: 'RunAsAny' },
        fsGroup: { rule: 'MustRunAs' },
      },
    },
    ['a', 'false', 'NET_ADMIN', 'MustRunAs', 'MustRunAs', 'MustRunAs', 'RunAsAny', false, 'secret'],
  ],
];
