import { expect } from 'chai';
import { describe, it } from 'mocha';
import { createCriRuntime } from '../../../../src/nodeagent/cri/index.ts';
import { methodOf } from '../../../../src/nodeagent/cri/protocol.ts';
import { writeContainerConfig } from '../../../../src/nodeagent/cri/write-container-config.ts';
import { writeSandboxConfig } from '../../../../src/nodeagent/cri/write-sandbox-config.ts';
import type { ContainerConfig, PodSandboxConfig } from '../../../../src/nodeagent/runtime/index.ts';
import { startFakeRuntime } from './fake-runtime.ts';

const sandboxConfig: Required<PodSandboxConfig> = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', attempt: 2 },
  hostname: 'web-host',
  logDirectory: '/var/log/pods/web',
  dns: { servers: ['10.0.0.10'], searches: ['a', 'b'], options: ['ndots:5'] },
  portMappings: [{ protocol: 'SCTP', containerPort: 80, hostPort: 8080, hostIp: '127.0.0.1' }],
  labels: { a: 'b' },
  annotations: { c: 'd' },
  cgroupParent: '/pods/u1',
  sysctls: { 'net.core.somaxconn': '1024' },
  security: {
    namespaces: { network: 'node', pid: 'container', ipc: 'target', targetId: 'other' },
    selinux: { user: 'u', role: 'r', type: 't', level: 'l' },
    runAsUser: 0,
    runAsGroup: 7,
    supplementalGroups: [8, 9],
    isRootReadOnly: true,
    isPrivileged: true,
    seccomp: { kind: 'localhost', reference: '/profiles/a.json' },
    apparmor: { kind: 'runtime-default' },
  },
};

const containerConfig: Required<ContainerConfig> = {
  metadata: { name: 'main', attempt: 4 },
  image: 'localhost/a:1',
  command: ['sh', '-c'],
  args: ['true'],
  workingDirectory: '/work',
  environment: [{ name: 'A', value: '1' }],
  mounts: [
    {
      containerPath: '/c',
      hostPath: '/h',
      isReadOnly: true,
      relabelsSelinux: true,
      propagation: 'bidirectional',
    },
  ],
  devices: [{ containerPath: '/dev/c', hostPath: '/dev/h', permissions: 'rw' }],
  labels: { e: 'f' },
  annotations: { g: 'h' },
  logPath: 'main/0.log',
  stdin: true,
  stdinOnce: true,
  tty: true,
  resources: {
    cpuPeriodUs: 100_000,
    cpuQuotaUs: -1,
    cpuShares: 2,
    memoryLimitBytes: 2 ** 40,
    oomScoreAdj: -998,
    cpusetCpus: '0-1',
    cpusetMems: '0',
    hugepageLimits: [{ pageSize: '2MB', limitBytes: 2 ** 32 }],
  },
  security: {
    runAsUsername: 'www',
    addCapabilities: ['NET_ADMIN'],
    dropCapabilities: ['ALL'],
    noNewPrivileges: true,
    maskedPaths: ['/proc/kcore'],
    readOnlyPaths: ['/proc/sys'],
    seccomp: { kind: 'unconfined' },
    apparmor: { kind: 'localhost', reference: 'my-profile' },
  },
};

/** Every field that a message of the interface names as the sandbox above sets it. */
const sandboxMessage = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', attempt: 2 },
  hostname: 'web-host',
  log_directory: '/var/log/pods/web',
  dns_config: { servers: ['10.0.0.10'], searches: ['a', 'b'], options: ['ndots:5'] },
  port_mappings: [{ protocol: 2, container_port: 80, host_port: 8080, host_ip: '127.0.0.1' }],
  labels: { a: 'b' },
  annotations: { c: 'd' },
  linux: {
    cgroup_parent: '/pods/u1',
    sysctls: { 'net.core.somaxconn': '1024' },
    security_context: {
      namespace_options: { network: 2, pid: 1, ipc: 3, target_id: 'other' },
      selinux_options: { user: 'u', role: 'r', type: 't', level: 'l' },
      run_as_user: { value: 0 },
      run_as_group: { value: 7 },
      readonly_rootfs: true,
      supplemental_groups: [8, 9],
      privileged: true,
      seccomp: { profile_type: 2, localhost_ref: '/profiles/a.json' },
      apparmor: { profile_type: 0 },
      seccomp_profile_path: 'localhost//profiles/a.json',
    },
  },
};

const containerMessage = {
  metadata: { name: 'main', attempt: 4 },
  image: { image: 'localhost/a:1' },
  command: ['sh', '-c'],
  args: ['true'],
  working_dir: '/work',
  envs: [{ key: 'A', value: '1' }],
  mounts: [{ container_path: '/c', host_path: '/h', readonly: true, selinux_relabel: true, propagation: 2 }],
  devices: [{ container_path: '/dev/c', host_path: '/dev/h', permissions: 'rw' }],
  labels: { e: 'f' },
  annotations: { g: 'h' },
  log_path: 'main/0.log',
  stdin: true,
  stdin_once: true,
  tty: true,
  linux: {
    resources: {
      cpu_period: 100_000,
      cpu_quota: -1,
      cpu_shares: 2,
      memory_limit_in_bytes: 2 ** 40,
      oom_score_adj: -998,
      cpuset_cpus: '0-1',
      cpuset_mems: '0',
      hugepage_limits: [{ page_size: '2MB', limit: 2 ** 32 }],
    },
    security_context: {
      run_as_username: 'www',
      capabilities: { add_capabilities: ['NET_ADMIN'], drop_capabilities: ['ALL'] },
      no_new_privs: true,
      masked_paths: ['/proc/kcore'],
      readonly_paths: ['/proc/sys'],
      seccomp: { profile_type: 1 },
      seccomp_profile_path: 'unconfined',
      apparmor: { profile_type: 2, localhost_ref: 'my-profile' },
      apparmor_profile: 'localhost/my-profile',
    },
  },
};

describe('writeSandboxConfig and writeContainerConfig', () => {
  it('bring every field to the other side', async () => {
    await using fake = await startFakeRuntime(['v1']);
    await using driver = createCriRuntime({ endpoint: fake.endpoint, requestTimeoutMs: 10_000 });
    fake.answers.set('RunPodSandbox', { pod_sandbox_id: 's' });
    fake.answers.set('CreateContainer', { container_id: 'c' });
    const podSandboxId = await driver.runtime.runPodSandbox({
      config: sandboxConfig,
      runtimeHandler: 'kata',
    });
    await driver.runtime.createContainer({ podSandboxId, config: containerConfig, sandboxConfig });
    expect(fake.received.map(({ message }) => message)).to.deep.equal([
      { config: sandboxMessage, runtime_handler: 'kata' },
      { pod_sandbox_id: 's', config: containerMessage, sandbox_config: sandboxMessage },
    ]);
  });

  it('leave out what is not set, and tell a user 0 from none', () => {
    const { metadata } = sandboxConfig;
    const bytes = methodOf('RunPodSandbox').encode({
      config: writeSandboxConfig({ metadata, security: { runAsUser: 0 } }),
    });
    const none = methodOf('RunPodSandbox').encode({ config: writeSandboxConfig({ metadata, security: {} }) });
    expect(bytes.length).to.be.greaterThan(none.length);
    expect(writeContainerConfig({ metadata: { name: 'a', attempt: 0 }, image: 'b' }).linux).to.deep.equal({
      resources: undefined,
      security_context: undefined,
    });
  });
});
