import { expect } from 'chai';
import { podRules } from '../../../../src/apis/core/pod.ts';
import {
  createErrors,
  makeContainerPod,
  makePod,
  ruleContext,
  updateErrors,
  withGates,
} from './rule-bench.ts';
import { envVarName, label1123, negative, portRange, subdomain1123 } from './wording.ts';

interface Case {
  readonly about: string;
  readonly container: object;
  readonly spec?: object;
  /** Errors without `spec.containers[0].` in front. */
  readonly errors: readonly string[];
}

const environmentPaths =
  '"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.podIP", "status.podIPs"';
const resourcePaths =
  '"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"';
const sizes =
  "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the";
const env = (valueFrom: object, more: object = {}): object => ({ env: [{ name: 'A', ...more, valueFrom }] });
const fieldRef = (fieldPath: string, apiVersion = 'v1'): object =>
  env({ fieldRef: { fieldPath, apiVersion } });
const emptyDirs = { volumes: [{ name: 'v', emptyDir: {} }] };
const claim = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] };
const mounts = (...volumeMounts: object[]): object => ({ volumeMounts });
const devices = (...volumeDevices: object[]): object => ({ volumeDevices });
const exec = { exec: { command: ['true'] } };

const cases: readonly Case[] = [
  { about: 'a plain container', container: {}, errors: [] },
  { about: 'no name', container: { name: '' }, errors: ['name: Required value'] },
  { about: 'a bad name', container: { name: 'A_' }, errors: [`name: Invalid value: "A_": ${label1123}`] },
  { about: 'no image', container: { image: '' }, errors: ['image: Required value'] },
  {
    about: 'an image with white space',
    container: { image: ' x' },
    errors: ['image: Invalid value: " x": must not have leading or trailing whitespace'],
  },
  {
    about: 'policies that do not exist, in the order of the reference',
    container: { imagePullPolicy: 'Sometimes', terminationMessagePolicy: 'Q' },
    errors: [
      "terminationMessagePolicy: Invalid value: \"Q\": must be 'File' or 'FallbackToLogsOnError'",
      'imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
    ],
  },
  {
    about: 'probes and a policy, the readiness probe last',
    container: {
      livenessProbe: {},
      readinessProbe: {},
      startupProbe: {},
      terminationMessagePolicy: 'Q',
    },
    errors: [
      'livenessProbe: Required value: must specify a handler type',
      'startupProbe: Required value: must specify a handler type',
      "terminationMessagePolicy: Invalid value: \"Q\": must be 'File' or 'FallbackToLogsOnError'",
      'readinessProbe: Required value: must specify a handler type',
    ],
  },
  {
    about: 'ports',
    container: {
      ports: [
        { name: 'much-too-long-name', containerPort: 0 },
        { name: 'a', containerPort: 70000, protocol: 'ICMP' },
        { name: 'a', containerPort: 1, hostPort: 99999 },
      ],
    },
    errors: [
      'ports[0].name: Invalid value: "much-too-long-name": must be no more than 15 characters',
      'ports[0].containerPort: Required value',
      `ports[1].containerPort: Invalid value: 70000: ${portRange}`,
      'ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      'ports[2].name: Duplicate value: "a"',
      `ports[2].hostPort: Invalid value: 99999: ${portRange}`,
    ],
  },
  {
    about: 'one host port twice',
    container: {
      ports: [
        { containerPort: 1, hostPort: 80 },
        { containerPort: 2, hostPort: 80, hostIP: '' },
      ],
    },
    errors: ['ports[1].hostPort: Duplicate value: "TCP//80"'],
  },
  {
    about: 'another port outside although the node network is used',
    container: { ports: [{ containerPort: 1, hostPort: 2 }] },
    spec: { hostNetwork: true },
    errors: ['ports[0].containerPort: Invalid value: 1: must match `hostPort` when `hostNetwork` is true'],
  },
  {
    about: 'a variable without a name',
    container: { env: [{ name: '' }] },
    errors: ['env[0].name: Required value'],
  },
  {
    about: 'a bad variable name',
    container: { env: [{ name: '1a' }] },
    errors: [`env[0].name: Invalid value: "1a": ${envVarName}`],
  },
  {
    about: 'a variable from nowhere',
    container: env({}),
    errors: [
      'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    ],
  },
  {
    about: 'a variable with a value and a source',
    container: env({ secretKeyRef: { name: 'a', key: 'k' } }, { value: 'x' }),
    errors: ['env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
  },
  {
    about: 'a variable with two sources',
    container: env({ secretKeyRef: { name: 'a', key: 'k' }, configMapKeyRef: { name: 'a', key: 'k' } }),
    errors: ['env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time'],
  },
  {
    about: 'references without key or with a bad name',
    container: env({ secretKeyRef: { name: 'A', key: '' } }),
    errors: [
      `env[0].valueFrom.secretKeyRef.name: Invalid value: "A": ${subdomain1123}`,
      'env[0].valueFrom.secretKeyRef.key: Required value',
    ],
  },
  {
    about: 'a bad key',
    container: env({ configMapKeyRef: { name: 'a', key: '..x' } }),
    errors: ['env[0].valueFrom.configMapKeyRef.key: Invalid value: "..x": must not start with \'..\''],
  },
  {
    about: 'a field reference without a path',
    container: fieldRef(''),
    errors: ['env[0].valueFrom.fieldRef.fieldPath: Required value'],
  },
  {
    about: 'a field that variables cannot show',
    container: fieldRef('status.phase'),
    errors: [
      `env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: ${environmentPaths}`,
    ],
  },
  {
    about: 'a field that does not exist',
    container: fieldRef('spec.nope'),
    errors: [
      'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.nope": error converting fieldPath: field label not supported: spec.nope',
    ],
  },
  {
    about: 'a subscript where there is none',
    container: fieldRef("spec.x['a']"),
    errors: [
      "env[0].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.x['a']\": error converting fieldPath: field label does not support subscript: spec.x['a']",
    ],
  },
  {
    about: 'another version',
    container: fieldRef('metadata.name', 'v2'),
    errors: [
      'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    ],
  },
  { about: 'one label', container: fieldRef("metadata.labels['a.b/c']"), errors: [] },
  { about: 'one annotation in mixed case', container: fieldRef("metadata.annotations['A.b/C']"), errors: [] },
  {
    about: 'a label that cannot exist',
    container: fieldRef("metadata.labels['a/']"),
    errors: [
      'env[0].valueFrom.fieldRef: Invalid value: "a/": name part must be non-empty',
      `env[0].valueFrom.fieldRef: Invalid value: "a/": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  },
  {
    about: 'a resource reference without a resource',
    container: env({ resourceFieldRef: { resource: '' } }),
    errors: ['env[0].valueFrom.resourceFieldRef.resource: Required value'],
  },
  {
    about: 'a resource that cannot be referred to',
    container: env({ resourceFieldRef: { resource: 'limits.gpu' } }),
    errors: [
      `env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: ${resourcePaths}`,
    ],
  },
  {
    about: 'a divisor that is not for cpu',
    container: env({ resourceFieldRef: { resource: 'limits.cpu', divisor: '1Mi' } }),
    errors: [
      'env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
    ],
  },
  {
    about: 'a divisor that is not for memory',
    container: env({ resourceFieldRef: { resource: 'requests.memory', divisor: '1m' } }),
    errors: [
      `env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.memory": ${sizes} memory resource`,
    ],
  },
  {
    about: 'a divisor that is not for storage',
    container: env({ resourceFieldRef: { resource: 'limits.ephemeral-storage', divisor: '7' } }),
    errors: [
      `env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.ephemeral-storage": ${sizes} local ephemeral storage resource`,
    ],
  },
  {
    about: 'bad sources of many variables',
    container: { envFrom: [{ prefix: '1' }, { configMapRef: { name: '' }, secretRef: { name: 'B' } }] },
    errors: [
      `envFrom[0].prefix: Invalid value: "1": ${envVarName}`,
      'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      'envFrom[1].configMapRef.name: Required value',
      `envFrom[1].secretRef.name: Invalid value: "B": ${subdomain1123}`,
      'envFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
  },
  {
    about: 'mounts',
    spec: emptyDirs,
    container: mounts(
      { name: 'missing', mountPath: '/a' },
      { name: '', mountPath: '' },
      { name: 'v', mountPath: '/b' },
      { name: 'v', mountPath: '/b' },
      { name: 'v', mountPath: '/c', subPath: '../x' },
      { name: 'v', mountPath: '/d', subPath: 'a', subPathExpr: '/b' },
    ),
    errors: [
      'volumeMounts[0].name: Not found: "missing"',
      'volumeMounts[1].name: Required value',
      'volumeMounts[1].name: Not found: ""',
      'volumeMounts[1].mountPath: Required value',
      'volumeMounts[3].mountPath: Invalid value: "/b": must be unique',
      'volumeMounts.subPath: Invalid value: "../x": must not contain \'..\'',
      'volumeMounts[5].subPathExpr: Invalid value: "/b": subPathExpr and subPath are mutually exclusive',
      'volumeMounts.subPathExpr: Invalid value: "/b": must be a relative path',
    ],
  },
  {
    about: 'mounts that spread without being allowed to',
    spec: emptyDirs,
    container: mounts(
      { name: 'v', mountPath: '/a', mountPropagation: 'Sideways' },
      { name: 'v', mountPath: '/b', mountPropagation: 'Bidirectional' },
    ),
    errors: [
      'volumeMounts.mountPropagation: Unsupported value: "Sideways": supported values: "Bidirectional", "HostToContainer", "None"',
      'volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
  },
  {
    about: 'devices',
    spec: claim,
    container: devices(
      { name: '', devicePath: '' },
      { name: 'v', devicePath: '/a' },
      { name: 'v', devicePath: '/a' },
      { name: 'missing', devicePath: '/b/../c' },
    ),
    errors: [
      'volumeDevices[0].name: Required value',
      'volumeDevices[0].name: Not found: ""',
      'volumeDevices[0].devicePath: Required value',
      'volumeDevices[2].name: Invalid value: "v": must be unique',
      'volumeDevices[2].devicePath: Invalid value: "/a": must be unique',
      'volumeDevices[3].name: Not found: "missing"',
      'volumeDevices[3].devicePath: Invalid value: "/b/../c": can not contain backsteps (\'..\')',
    ],
  },
  {
    about: 'a device of a volume that is none',
    spec: emptyDirs,
    container: devices({ name: 'v', devicePath: '/a' }),
    errors: [
      'volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim for block mode',
    ],
  },
  {
    about: 'a volume both mounted and as a device',
    spec: claim,
    container: { ...devices({ name: 'v', devicePath: '/a' }), ...mounts({ name: 'v', mountPath: '/a' }) },
    errors: [
      'volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
      'volumeMounts[0].mountPath: Invalid value: "/a": must not already exist as a path in volumeDevices',
      'volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
      'volumeDevices[0].devicePath: Invalid value: "/a": must not already exist as a path in volumeMounts',
    ],
  },
  {
    about: 'paths of a volume that is a device twice, of which the last one counts',
    spec: {
      volumes: ['v', 'w'].map((name) => ({ name, persistentVolumeClaim: { claimName: 'c' } })),
    },
    container: {
      ...devices({ name: 'v', devicePath: '/a' }, { name: 'v', devicePath: '/b' }),
      ...mounts({ name: 'w', mountPath: '/a' }, { name: 'w', mountPath: '/b' }),
    },
    errors: [
      'volumeMounts[1].mountPath: Invalid value: "/b": must not already exist as a path in volumeDevices',
      'volumeDevices[1].name: Invalid value: "v": must be unique',
      'volumeDevices[1].devicePath: Invalid value: "/b": must not already exist as a path in volumeMounts',
    ],
  },
  {
    about: 'probes without or with too many actions',
    container: { livenessProbe: {}, readinessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
    errors: [
      'livenessProbe: Required value: must specify a handler type',
      'readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    ],
  },
  {
    about: 'numbers of probes',
    container: {
      livenessProbe: { ...exec, successThreshold: 2 },
      startupProbe: {
        ...exec,
        initialDelaySeconds: -1,
        timeoutSeconds: -2,
        periodSeconds: -3,
        successThreshold: -4,
        failureThreshold: -5,
      },
    },
    errors: [
      'livenessProbe.successThreshold: Invalid value: 2: must be 1',
      `startupProbe.initialDelaySeconds: Invalid value: -1: ${negative}`,
      `startupProbe.timeoutSeconds: Invalid value: -2: ${negative}`,
      `startupProbe.periodSeconds: Invalid value: -3: ${negative}`,
      `startupProbe.successThreshold: Invalid value: -4: ${negative}`,
      `startupProbe.failureThreshold: Invalid value: -5: ${negative}`,
      'startupProbe.successThreshold: Invalid value: -4: must be 1',
    ],
  },
  {
    about: 'actions',
    container: {
      lifecycle: { postStart: { exec: { command: [] } }, preStop: { tcpSocket: { port: 'nope_' } } },
      readinessProbe: { httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: '' }] } },
    },
    errors: [
      'lifecycle.postStart.exec.command: Required value',
      'lifecycle.preStop.tcpSocket.port: Invalid value: "nope_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      `readinessProbe.httpGet.port: Invalid value: 0: ${portRange}`,
      'readinessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
      "readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    ],
  },
  {
    about: 'resource names',
    container: { resources: { requests: { nope: '1', pods: '1' } } },
    errors: [
      'resources.requests[nope]: Invalid value: "nope": must be a standard resource type or fully qualified',
      'resources.requests[nope]: Invalid value: "nope": must be a standard resource for containers',
      'resources.requests[pods]: Invalid value: "pods": must be a standard resource for containers',
    ],
  },
  {
    about: 'amounts',
    container: {
      resources: {
        limits: { cpu: '1', 'example.com/gpu': '2' },
        requests: { cpu: '2', 'example.com/gpu': '1', memory: '-1' },
      },
    },
    errors: [
      'resources.requests: Invalid value: "2": must be less than or equal to cpu limit',
      'resources.requests: Invalid value: "1": must be equal to example.com/gpu limit',
      `resources.requests[memory]: Invalid value: "-1": ${negative}`,
    ],
  },
  {
    about: 'a part of a device',
    container: { resources: { limits: { 'example.com/gpu': '500m' } } },
    errors: ['limits', 'requests'].map(
      (list) =>
        `resources.${list}[example.com/gpu]: Invalid value: resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}: must be an integer`,
    ),
  },
  {
    about: 'huge pages alone and without a limit',
    container: { resources: { requests: { 'hugepages-2Mi': '2Mi' } } },
    errors: [
      'resources.limits: Required value: Limit must be set for non overcommitable resources',
      'resources: Forbidden: HugePages require cpu or memory',
    ],
  },
  {
    about: 'numeric users and groups',
    container: { securityContext: { runAsUser: -1, runAsGroup: -2 } },
    errors: [
      'securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'securityContext.runAsGroup: Invalid value: -2: must be between 0 and 2147483647, inclusive',
    ],
  },
  {
    about: 'seccomp profiles without what they need',
    container: { securityContext: { seccompProfile: { type: 'Localhost' } } },
    errors: [
      'securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
    ],
  },
  {
    about: 'seccomp profiles of no type, and with a file that is not used',
    container: { securityContext: { seccompProfile: { type: 'Nope', localhostProfile: 'x' } } },
    errors: [
      'securityContext.seccompProfile.type: Unsupported value: "Nope": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
      'securityContext.seccompProfile.localhostProfile: Invalid value: core.SeccompProfile{Type:"Nope", LocalhostProfile:(*string)(0xc000000000)}: can only be set when seccomp type is Localhost',
    ],
  },
];

describe('podRules.validate of a container', () => {
  for (const { about, container, spec, errors } of cases) {
    it(errors.length === 0 ? `accepts ${about}` : `refuses ${about}`, () => {
      const expected = errors.map((text) => `spec.containers[0].${text}`);
      expect(createErrors(podRules, makeContainerPod(container, spec))).to.deep.equal(expected);
    });
  }

  it('refuses seccomp profiles outside their folder, in the field and in the annotation made from it', () => {
    const seccompProfile = { type: 'Localhost', localhostProfile: '/a/../b' };
    const paths = [
      'metadata.annotations.container.seccomp.security.alpha.orch.io/c',
      'spec.containers[0].securityContext.seccompProfile.localhostProfile',
    ];
    const expected = paths.flatMap((path) => [
      `${path}: Invalid value: "/a/../b": must be a relative path`,
      `${path}: Invalid value: "/a/../b": must not contain '..'`,
    ]);
    expect(createErrors(podRules, makeContainerPod({ securityContext: { seccompProfile } }))).to.deep.equal(
      expected,
    );
  });

  it('refuses names that repeat, but not their other fields', () => {
    const containers = [
      { name: 'a', image: 'x' },
      { name: 'a', image: 'y' },
    ];
    expect(createErrors(podRules, makePod({ containers }))).to.deep.equal([
      'spec.containers[1].name: Duplicate value: "a"',
    ]);
  });

  it('refuses one port of the node in two containers', () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const containers = ['a', 'b'].map((name) => ({ name, image: 'x', ports }));
    expect(createErrors(podRules, makePod({ containers }))).to.deep.equal([
      'spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//8080"',
    ]);
  });

  it('refuses hooks, probes and taken names of init containers', () => {
    const initContainers = [
      { name: 'c', image: 'x', lifecycle: { preStop: exec }, livenessProbe: exec },
      { name: 'i', image: 'x', readinessProbe: exec, startupProbe: exec },
    ];
    const errors = createErrors(podRules, makePod({ initContainers }));
    expect(errors.map((text) => text.replace(/core\.[A-Z].*}: /, '<value>: '))).to.deep.equal([
      'spec.initContainers[0].name: Duplicate value: "c"',
      'spec.initContainers[0].lifecycle: Invalid value: <value>: must not be set for init containers',
      'spec.initContainers[0].livenessProbe: Invalid value: <value>: must not be set for init containers',
      'spec.initContainers[1].readinessProbe: Invalid value: <value>: must not be set for init containers',
      'spec.initContainers[1].startupProbe: Invalid value: <value>: must not be set for init containers',
    ]);
  });

  it('lets init containers share a port of the node, for they run one after another', () => {
    const ports = [{ containerPort: 80, hostPort: 8080 }];
    const initContainers = ['a', 'b'].map((name) => ({ name, image: 'x', ports }));
    expect(createErrors(podRules, makePod({ initContainers }))).to.deep.equal([]);
  });

  it('refuses privileged containers where the server does not allow them', () => {
    const pod = makeContainerPod({ securityContext: { privileged: true } });
    expect(createErrors(podRules, pod, { ...ruleContext, allowsPrivileged: false })).to.deep.equal([
      'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
    ]);
    expect(createErrors(podRules, pod)).to.deep.equal([]);
  });

  it('checks the kind of proc mount only with its gate, and resets it without', () => {
    const make = () => makeContainerPod({ securityContext: { procMount: 'Odd' } });
    expect(createErrors(podRules, make(), withGates({ ProcMountType: true }))).to.deep.equal([
      'spec.containers[0].securityContext.procMount: Unsupported value: "Odd": supported values: "Default", "Unmasked"',
    ]);
    const pod = make();
    expect(createErrors(podRules, pod)).to.deep.equal([]);
    expect(pod.spec.containers?.[0]?.securityContext?.procMount).to.equal('Default');
  });

  it('refuses to forbid privileges that are given', () => {
    for (const [security, what] of [
      [{ privileged: true }, '`privileged` to true'],
      [{ capabilities: { add: ['CAP_SYS_ADMIN'] } }, '`capabilities.Add` CAP_SYS_ADMIN'],
    ] as const) {
      const pod = makeContainerPod({ securityContext: { allowPrivilegeEscalation: false, ...security } });
      const [error, ...others] = createErrors(podRules, pod);
      expect(others).to.deep.equal([]);
      expect(error).to.match(
        /^spec\.containers\[0\]\.securityContext: Invalid value: core\.SecurityContext\{/,
      );
      expect(error?.endsWith(`cannot set \`allowPrivilegeEscalation\` to false and ${what}`)).to.equal(true);
    }
  });

  it('allows one size of huge pages without the gate for more', () => {
    const amounts = { cpu: '1', 'hugepages-1Gi': '1Gi', 'hugepages-2Mi': '2Mi' };
    const resources = { limits: amounts, requests: amounts };
    const make = () => makeContainerPod({ resources });
    const error =
      'spec: Invalid value: []string{"hugepages-1Gi", "hugepages-2Mi"}: must use a single hugepage size in a pod spec';
    const off = withGates({ HugePageStorageMediumSize: false });
    expect(createErrors(podRules, make())).to.deep.equal([]);
    expect(createErrors(podRules, make(), off)).to.deep.equal([error]);
    expect(
      createErrors(podRules, makePod({ initContainers: [{ name: 'i', image: 'x', resources }] }), off),
    ).to.deep.equal([]);
    expect(updateErrors(podRules, make(), make(), off)).to.deep.equal([]);
    expect(updateErrors(podRules, make(), makePod(), off).filter((text) => text === error)).to.have.length(2);
  });
});
