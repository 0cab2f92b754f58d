import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import {
  buildContainerConfig,
  buildSandboxConfig,
  ContainerConfigError,
  type ContainerConfigInputs,
  runtimeLabelNames,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf, nodeOf, podOf, serviceOf } from './pods.ts';

const podLabels = { 'io.orch.pod.name': 'web', 'io.orch.pod.namespace': 'shop', 'io.orch.pod.uid': 'u-1' };

describe('runtimeLabelNames', () => {
  it('begins with the domain of the dialect, backwards', () => {
    expect(runtimeLabelNames(createDialect('kubernetes'))).to.include({
      podName: 'io.kubernetes.pod.name',
      containerName: 'io.kubernetes.container.name',
      restartCount: 'io.kubernetes.container.restartCount',
      podTerminationGracePeriod: 'io.kubernetes.pod.terminationGracePeriod',
    });
  });
});

describe('buildSandboxConfig', () => {
  it('puts everything together', () => {
    const ports = [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }];
    const pod = podOf(
      {
        containers: [containerOf({ ports })],
        hostname: 'h1',
        dnsPolicy: 'Default',
        securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '0' }] },
      },
      { labels: { app: 'web', 'io.orch.pod.name': 'liar' }, annotations: { note: 'x' } },
    );
    expect(buildSandboxConfig({ pod, attempt: 2, node: nodeOf(), extraGroups: [5] })).to.deep.equal({
      config: {
        metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 2 },
        hostname: 'h1',
        logDirectory: '/var/log/pods/shop_web_u-1',
        dns: { servers: ['192.0.2.53'], searches: ['example.test'], options: ['ndots:2'] },
        portMappings: [{ protocol: 'TCP', containerPort: 80, hostPort: 8080 }],
        labels: { app: 'web', ...podLabels },
        annotations: { note: 'x' },
        cgroupParent: '/orchpods/besteffort/podu-1',
        sysctls: { 'net.ipv4.tcp_syncookies': '0' },
        security: {
          namespaces: { network: 'pod', ipc: 'pod', pid: 'container' },
          isPrivileged: false,
          seccomp: { kind: 'runtime-default' },
          runAsUser: undefined,
          runAsGroup: undefined,
          supplementalGroups: [5],
          selinux: undefined,
        },
      },
      notices: [],
    });
  });

  it("has no host name on the node's network", () => {
    const pod = podOf({ hostNetwork: true, dnsPolicy: 'ClusterFirst' });
    const { config } = buildSandboxConfig({ pod, attempt: 0, node: nodeOf() });
    expect(config.hostname).to.equal(undefined);
    expect(config.dns?.servers).to.deep.equal(['192.0.2.53']);
  });

  it('passes on what the user should know', () => {
    const dnsConfig = { nameservers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] };
    const pod = podOf({ dnsPolicy: 'ClusterFirst', dnsConfig });
    const { notices } = buildSandboxConfig({ pod, attempt: 0, node: nodeOf() });
    expect(notices.map(({ reason }) => reason)).to.deep.equal(['DNSConfigForming']);
  });
});

const inputsOf = (
  fields: Partial<Container>,
  changes: Partial<ContainerConfigInputs> = {},
  spec: Partial<Pod['spec']> = {},
): ContainerConfigInputs => {
  const container = containerOf(fields);
  return {
    pod: podOf({ containers: [container], terminationGracePeriodSeconds: 30, ...spec }),
    container,
    specHash: 'abc',
    attempt: 1,
    image: 'sha256:1',
    imageUser: { userId: undefined, username: '' },
    node: nodeOf({ hugepageSizes: [] }),
    volumes: new Map([['v', { path: '/vols/v', isReadOnly: false, needsSelinuxLabel: false }]]),
    services: [serviceOf('orch', 'default', '10.0.0.1', [{ port: 443 }])],
    sources: undefined,
    allocatable: {},
    podIps: ['10.1.0.2'],
    hostIps: ['192.0.2.2'],
    terminationLogName: '01ab',
    nodeHostsFile: '',
    ...changes,
  };
};

describe('buildContainerConfig', () => {
  it('puts everything together', () => {
    const { config, files, subPaths, notices } = buildContainerConfig(
      inputsOf({
        command: ['run', '$(A)'],
        args: ['$(ORCH_SERVICE_HOST)'],
        workingDir: '/tmp',
        env: [{ name: 'A', value: 'a' }],
        volumeMounts: [{ name: 'v', mountPath: '/s', subPathExpr: '$(A)' }],
        ports: [{ name: 'web', containerPort: 80, protocol: 'TCP' }],
        lifecycle: { preStop: { exec: { command: ['bye'] } } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        stdin: true,
        tty: true,
      }),
    );
    expect(config).to.deep.include({
      metadata: { name: 'c', attempt: 1 },
      image: 'sha256:1',
      command: ['run', 'a'],
      args: ['10.0.0.1'],
      workingDirectory: '/tmp',
      devices: [],
      labels: { ...podLabels, 'io.orch.container.name': 'c' },
      annotations: {
        'io.orch.container.hash': 'abc',
        'io.orch.container.restartCount': '1',
        'io.orch.container.terminationMessagePath': '/dev/termination-log',
        'io.orch.container.terminationMessagePolicy': 'File',
        'io.orch.pod.terminationGracePeriod': '30',
        'io.orch.container.preStopHandler': '{"exec":{"command":["bye"]}}',
        'io.orch.container.ports': '[{"name":"web","containerPort":80,"protocol":"TCP"}]',
      },
      logPath: 'c/1.log',
      stdin: true,
      stdinOnce: undefined,
      tty: true,
      resources: { cpuShares: 2, cpuQuotaUs: 0, cpuPeriodUs: 100_000, oomScoreAdj: 1000, hugepageLimits: [] },
    });
    expect(config.environment?.slice(0, 2)).to.deep.equal([
      { name: 'A', value: 'a' },
      { name: 'ORCH_SERVICE_HOST', value: '10.0.0.1' },
    ]);
    const podDir = '/var/lib/agent/pods/u-1';
    expect(config.mounts?.map(({ hostPath, containerPath }) => [hostPath, containerPath])).to.deep.equal([
      [`${podDir}/volume-subpaths/v/c/0`, '/s'],
      [`${podDir}/etc-hosts`, '/etc/hosts'],
      [`${podDir}/containers/c/01ab`, '/dev/termination-log'],
    ]);
    expect(files.map(({ path, mode }) => [path, mode])).to.deep.equal([
      [`${podDir}/etc-hosts`, 0o644],
      [`${podDir}/containers/c/01ab`, 0o666],
    ]);
    expect(files[0]?.content).to.match(/^# Orch-managed hosts file\.\n/);
    expect(files[0]?.content).to.match(/\n10\.1\.0\.2\tweb\n$/);
    expect(subPaths.map(({ subPath }) => subPath)).to.deep.equal(['a']);
    expect(notices).to.deep.equal([]);
    expect(config.security).to.deep.include({ runAsUser: 0, noNewPrivileges: false, seccomp: undefined });
  });

  it('leaves /etc/hosts to a container that mounts its own, and to the runtime before the pod has an address', () => {
    const pathsOf = (inputs: ContainerConfigInputs) =>
      buildContainerConfig(inputs).config.mounts?.map(({ hostPath }) => hostPath);
    const volumeMounts = [{ name: 'v', mountPath: '/etc/hosts' }];
    expect(pathsOf(inputsOf({ volumeMounts }))).to.deep.equal(['/vols/v']);
    expect(pathsOf(inputsOf({}, { podIps: [] }))).to.deep.equal([]);
  });

  it('mounts the token of the service account as the volume that it is', () => {
    const mountPath = '/var/run/secrets/orch.io/serviceaccount';
    const { config } = buildContainerConfig(
      inputsOf({ volumeMounts: [{ name: 'v', mountPath, readOnly: true }] }, { podIps: [] }),
    );
    expect(config.mounts).to.deep.equal([
      {
        containerPath: mountPath,
        hostPath: '/vols/v',
        isReadOnly: true,
        relabelsSelinux: false,
        propagation: 'private',
      },
    ]);
  });

  it('labels its own files where SELinux is on', () => {
    const node = nodeOf({ isSelinuxEnabled: true });
    const { config } = buildContainerConfig(inputsOf({ terminationMessagePath: '/end' }, { node }));
    expect(config.mounts?.map(({ relabelsSelinux }) => relabelsSelinux)).to.deep.equal([true, true]);
  });

  it('takes what device plugins add, below what the pod says', () => {
    const device = { containerPath: '/dev/gpu', hostPath: '/dev/gpu0', permissions: 'rw' };
    const additions = {
      environment: [{ name: 'GPU', value: '0' }],
      devices: [device],
      annotations: { gpu: '0', 'io.orch.container.hash': 'liar' },
    };
    const { config } = buildContainerConfig(inputsOf({ args: ['$(GPU)'] }, { additions }));
    expect(config.devices).to.deep.equal([device]);
    expect(config.args).to.deep.equal(['0']);
    expect(config.environment?.[0]).to.deep.equal({ name: 'GPU', value: '0' });
    expect(config.annotations).to.include({ gpu: '0', 'io.orch.container.hash': 'abc' });
  });

  it('tells how long a pod that is being deleted has', () => {
    const inputs = inputsOf({});
    const pod = { ...inputs.pod, metadata: { ...inputs.pod.metadata, deletionGracePeriodSeconds: 5 } };
    const { config } = buildContainerConfig({ ...inputs, pod });
    expect(config.annotations).to.include({ 'io.orch.pod.deletionGracePeriod': '5' });
  });

  it('refuses a container that refers to what is not there', () => {
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'x', key: 'k1' } } }];
    expect(() => buildContainerConfig(inputsOf({ env }))).to.throw(
      ContainerConfigError,
      "couldn't get configMap shop/x, no orchClient defined",
    );
  });
});
