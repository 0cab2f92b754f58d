import { expect } from 'chai';
import { measure } from './fixtures.ts';

const container = (more: object = {}) => ({ name: 'c', image: 'i', resources: {}, ...more });
/** A pod whose only container has this security context. */
const secured = (securityContext: object, more: object = {}) => ({
  containers: [container({ securityContext })],
  ...more,
});
const plain = { containers: [container()] };
const inPod = (securityContext: object) => ({ ...plain, securityContext });
const ranges = [
  { min: 10, max: 20 },
  { min: 30, max: 30 },
];
const shown = '[{10 20} {30 30}]';
const labels = { level: 's0:c1,c2', role: 'r', type: 't', user: 'u' };

/** What a policy makes of a pod: the spec that it gets, or the errors. */
type Case = readonly [what: string, policy: object, pod: object, outcome: object | string];

const at = 'spec.containers[0].securityContext';

const tables: Readonly<Record<string, readonly Case[]>> = {
  users: [
    [
      'gives MustRunAs the first',
      { runAsUser: { rule: 'MustRunAs', ranges } },
      plain,
      secured({ runAsUser: 10 }),
    ],
    [
      'leaves one of the pod',
      { runAsUser: { rule: 'MustRunAs', ranges } },
      inPod({ runAsUser: 30 }),
      inPod({ runAsUser: 30 }),
    ],
    [
      'refuses one outside',
      { runAsUser: { rule: 'MustRunAs', ranges } },
      secured({ runAsUser: 25 }),
      `${at}.runAsUser: Invalid value: 25: must be in the ranges: ${shown}`,
    ],
    [
      'has the container win over its pod',
      { runAsUser: { rule: 'MustRunAs', ranges } },
      secured({ runAsUser: 0 }, { securityContext: { runAsUser: 10 } }),
      `${at}.runAsUser: Invalid value: 0: must be in the ranges: ${shown}`,
    ],
    [
      'marks who must not be root',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      plain,
      secured({ runAsNonRoot: true }),
    ],
    [
      'does not mark who has a user',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      inPod({ runAsUser: 5 }),
      inPod({ runAsUser: 5 }),
    ],
    [
      'refuses root',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      inPod({ runAsUser: 0 }),
      `${at}.runAsUser: Invalid value: 0: running with the root UID is forbidden`,
    ],
    [
      'refuses who may be root',
      { runAsUser: { rule: 'MustRunAsNonRoot' } },
      secured({ runAsNonRoot: false }),
      `${at}.runAsNonRoot: Invalid value: false: must be true`,
    ],
    ['lets anybody run as any', {}, secured({ runAsUser: 0 }), secured({ runAsUser: 0 })],
  ],
  groups: [
    [
      'gives MustRunAs the first',
      { runAsGroup: { rule: 'MustRunAs', ranges } },
      plain,
      secured({ runAsGroup: 10 }),
    ],
    ['gives MayRunAs none', { runAsGroup: { rule: 'MayRunAs', ranges } }, plain, plain],
    [
      'refuses one outside',
      { runAsGroup: { rule: 'MayRunAs', ranges } },
      inPod({ runAsGroup: 7 }),
      `${at}: Invalid value: []int64{7}: group 7 must be in the ranges: ${shown}`,
    ],
    ['gives pods their own', { fsGroup: { rule: 'MustRunAs', ranges } }, plain, inPod({ fsGroup: 10 })],
    ['gives pods none that they only may have', { fsGroup: { rule: 'MayRunAs', ranges } }, plain, plain],
    [
      "refuses a pod's own outside",
      { fsGroup: { rule: 'MustRunAs', ranges } },
      inPod({ fsGroup: 31 }),
      `spec.securityContext.fsGroup: Invalid value: []int64{31}: group 31 must be in the ranges: ${shown}`,
    ],
    [
      'gives pods more of them',
      { supplementalGroups: { rule: 'MustRunAs', ranges } },
      plain,
      inPod({ supplementalGroups: [10] }),
    ],
    [
      'refuses each of more that is outside',
      { supplementalGroups: { rule: 'MayRunAs', ranges } },
      inPod({ supplementalGroups: [10, 1, 2] }),
      `spec.securityContext.supplementalGroups: Invalid value: []int64{10, 1, 2}: group 1 must be in the ranges: ${shown} spec.securityContext.supplementalGroups: Invalid value: []int64{10, 1, 2}: group 2 must be in the ranges: ${shown}`,
    ],
  ],
  'SELinux labels': [
    [
      'are given to the pod',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: labels } },
      plain,
      inPod({ seLinuxOptions: labels }),
    ],
    [
      'are the same with categories in another order',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: labels } },
      inPod({ seLinuxOptions: { ...labels, level: 's0:c2,c1' } }),
      inPod({ seLinuxOptions: { ...labels, level: 's0:c2,c1' } }),
    ],
    [
      'are refused in the pod and inherited by the container',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: labels } },
      inPod({ seLinuxOptions: { ...labels, level: 's1:c1,c2', user: '' } }),
      `spec.securityContext.seLinuxOptions.level: Invalid value: "s1:c1,c2": must be s0:c1,c2 spec.securityContext.seLinuxOptions.user: Invalid value: "": must be u ${at}.seLinuxOptions.level: Invalid value: "s1:c1,c2": must be s0:c1,c2 ${at}.seLinuxOptions.user: Invalid value: "": must be u`,
    ],
    [
      'are refused in a container',
      { seLinux: { rule: 'MustRunAs', seLinuxOptions: labels } },
      secured({ seLinuxOptions: { ...labels, role: 'x', type: 'y', level: 's0' } }),
      `${at}.seLinuxOptions.level: Invalid value: "s0": must be s0:c1,c2 ${at}.seLinuxOptions.role: Invalid value: "x": must be r ${at}.seLinuxOptions.type: Invalid value: "y": must be t`,
    ],
  ],
  capabilities: [
    [
      'are added and dropped, sorted',
      { defaultAddCapabilities: ['B', 'A'], requiredDropCapabilities: ['D', 'C'] },
      plain,
      secured({ capabilities: { add: ['A', 'B'], drop: ['C', 'D'] } }),
    ],
    [
      'are not added to who drops them',
      { defaultAddCapabilities: ['A'] },
      secured({ capabilities: { drop: ['A'] } }),
      secured({ capabilities: { drop: ['A'] } }),
    ],
    [
      'stay as they are when nothing is missing',
      { requiredDropCapabilities: ['A'], allowedCapabilities: ['B', 'C'] },
      secured({ capabilities: { add: ['C', 'B'], drop: ['Z', 'A'] } }),
      secured({ capabilities: { add: ['C', 'B'], drop: ['Z', 'A'] } }),
    ],
    [
      'are refused when neither given nor allowed',
      { defaultAddCapabilities: ['A'], allowedCapabilities: ['B'] },
      secured({ capabilities: { add: ['A', 'B', 'X'] } }),
      `${at}.capabilities.add: Invalid value: "X": capability may not be added`,
    ],
    [
      'are all allowed by *',
      { allowedCapabilities: ['*'] },
      secured({ capabilities: { add: ['X'] } }),
      secured({ capabilities: { add: ['X'] } }),
    ],
  ],
  'privileges of containers': [
    [
      'refuses privileged ones',
      {},
      secured({ privileged: true }),
      `${at}.privileged: Invalid value: true: Privileged containers are not allowed`,
    ],
    [
      'lets privileged ones in',
      { privileged: true },
      secured({ privileged: true }),
      secured({ privileged: true }),
    ],
    [
      'makes file systems read-only',
      { readOnlyRootFilesystem: true },
      plain,
      secured({ readOnlyRootFilesystem: true }),
    ],
    [
      'refuses to let them be written',
      { readOnlyRootFilesystem: true },
      secured({ readOnlyRootFilesystem: false }),
      `${at}.readOnlyRootFilesystem: Invalid value: false: ReadOnlyRootFilesystem must be set to true`,
    ],
    [
      'forbids escalation to who says nothing',
      { allowPrivilegeEscalation: false },
      plain,
      secured({ allowPrivilegeEscalation: false }),
    ],
    [
      'refuses escalation',
      { allowPrivilegeEscalation: false },
      secured({ allowPrivilegeEscalation: true }),
      `${at}.allowPrivilegeEscalation: Invalid value: true: Allowing privilege escalation for containers is not allowed`,
    ],
    [
      'gives the default of escalation',
      { defaultAllowPrivilegeEscalation: true },
      plain,
      secured({ allowPrivilegeEscalation: true }),
    ],
    [
      'refuses unmasked /proc',
      {},
      secured({ procMount: 'Unmasked' }),
      `${at}.procMount: Invalid value: "Unmasked": ProcMountType is not allowed`,
    ],
    [
      'allows the listed forms of /proc only',
      { allowedProcMountTypes: ['Unmasked'] },
      plain,
      `${at}.procMount: Invalid value: "Default": ProcMountType is not allowed`,
    ],
  ],
  'the node': [
    ...(['hostNetwork', 'hostPID', 'hostIPC'] as const).flatMap((field): Case[] => [
      [`lets ${field} in`, { [field]: true }, { ...plain, [field]: true }, { ...plain, [field]: true }],
      [
        `refuses ${field}`,
        {},
        { ...plain, [field]: true },
        `spec.securityContext.${field}: Invalid value: true: Host ${field === 'hostNetwork' ? 'network' : field.slice(4)} is not allowed to be used`,
      ],
    ]),
    [
      'refuses ports outside',
      {
        hostPorts: [
          { min: 80, max: 80 },
          { min: 8000, max: 9000 },
        ],
      },
      {
        containers: [
          container({
            ports: [
              { containerPort: 1, hostPort: 80 },
              { containerPort: 2, hostPort: 81 },
              { containerPort: 3 },
            ],
          }),
        ],
      },
      'spec.containers[0].hostPort: Invalid value: 81: Host port 81 is not allowed to be used. Allowed ports: [80,8000-9000]',
    ],
    [
      'refuses all ports without a list',
      {},
      { containers: [container({ ports: [{ containerPort: 1, hostPort: 80 }] })] },
      'spec.containers[0].hostPort: Invalid value: 80: Host port 80 is not allowed to be used. Allowed ports: []',
    ],
    [
      'knows safe settings of the kernel, allowed and forbidden ones',
      { allowedUnsafeSysctls: ['net.core.*', 'a.b'], forbiddenSysctls: ['kernel.*'] },
      inPod({
        sysctls: ['net.ipv4.tcp_syncookies', 'net.core.x', 'a.b', 'a.c', 'kernel.shm_rmid_forced'].map(
          (name) => ({
            name,
            value: '1',
          }),
        ),
      }),
      'pod.spec.securityContext.sysctls[3]: Forbidden: unsafe sysctl "a.c" is not allowed pod.spec.securityContext.sysctls[4]: Forbidden: sysctl "kernel.shm_rmid_forced" is not allowed',
    ],
  ],
  'runtime classes': [
    [
      'are given',
      { runtimeClass: { allowedRuntimeClassNames: ['a'], defaultRuntimeClassName: 'a' } },
      plain,
      { ...plain, runtimeClassName: 'a' },
    ],
    [
      'may be any with *',
      { runtimeClass: { allowedRuntimeClassNames: ['*'] } },
      { ...plain, runtimeClassName: 'x' },
      { ...plain, runtimeClassName: 'x' },
    ],
    [
      'are refused when not listed',
      { runtimeClass: { allowedRuntimeClassNames: [] } },
      { ...plain, runtimeClassName: 'x' },
      'spec.runtimeClassName: Invalid value: "x"',
    ],
    [
      'may be any without a rule',
      {},
      { ...plain, runtimeClassName: 'x' },
      { ...plain, runtimeClassName: 'x' },
    ],
  ],
  'every kind of container': [
    [
      'is filled in',
      { runAsUser: { rule: 'MustRunAs', ranges } },
      { initContainers: [container()], ...plain, ephemeralContainers: [container()] },
      {
        initContainers: secured({ runAsUser: 10 }).containers,
        ...secured({ runAsUser: 10 }),
        ephemeralContainers: secured({ runAsUser: 10 }).containers,
      },
    ],
    [
      'is checked',
      {},
      {
        initContainers: secured({ privileged: true }).containers,
        ...plain,
        ephemeralContainers: secured({ privileged: true }).containers,
      },
      'spec.initContainers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed spec.ephemeralContainers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed',
    ],
  ],
};

describe('the controls of a pod security policy', () => {
  for (const [subject, cases] of Object.entries(tables)) {
    for (const [what, policySpec, podSpec, outcome] of cases) {
      it(`${subject}: ${what}`, async () => {
        const measured = await measure(policySpec, podSpec);
        expect(typeof measured === 'string' ? measured : measured.spec).to.deep.equal(outcome);
      });
    }
  }

  it('say all that is wrong, the pod first', async () => {
    const podSpec = {
      hostPID: true,
      initContainers: secured({ privileged: true }).containers,
      ...secured({ procMount: 'Unmasked' }),
    };
    expect(await measure({}, podSpec)).to.equal(
      `spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used spec.initContainers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed ${at}.procMount: Invalid value: "Unmasked": ProcMountType is not allowed`,
    );
  });

  it('pass over what feature gates switch off', async () => {
    const policySpec = { runAsGroup: { rule: 'MustRunAs', ranges } };
    const podSpec = { ...plain, ephemeralContainers: secured({ privileged: true }).containers };
    const measured = await measure(policySpec, podSpec, { gates: [] });
    expect(measured).to.deep.equal({ spec: podSpec, annotations: {} });
  });
});
