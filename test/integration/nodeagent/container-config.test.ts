import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Container } from '../../../src/apis/types/core-v1.ts';
import {
  buildContainerConfig,
  buildSandboxConfig,
  type NodeSettings,
  parseResolvConf,
} from '../../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../../src/nodeagent/runtime/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { containerOf, nodeOf, podOf, serviceOf } from '../../unit/nodeagent/container-config/pods.ts';

const shell = (script: string): string[] => ['sh', '-c', script];

const containers: readonly Container[] = [
  containerOf({
    name: 'env',
    env: [
      { name: 'X_A', value: 'a' },
      { name: 'X_B', value: '$(X_A)b$(X_NOPE)' },
      { name: 'X_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
    command: ['echo', '$(X_B)', '$$(X_A)'],
    args: ['$(ORCH_SERVICE_HOST)', '$(X_IP)'],
  }),
  containerOf({ name: 'files', command: shell('hostname; cat /etc/hosts /etc/resolv.conf') }),
  containerOf({
    name: 'rights',
    securityContext: { runAsUser: 1001, allowPrivilegeEscalation: false },
    command: shell('id; grep NoNewPrivs /proc/self/status; cat /proc/sys/net/ipv4/ip_local_port_range'),
  }),
  containerOf({
    name: 'bounds',
    resources: { limits: { cpu: '1500m', memory: '32Mi' }, requests: { cpu: '250m' } },
    terminationMessagePath: '/dev/termination-log',
    command: shell(
      'cat /proc/self/oom_score_adj; cd /sys/fs/cgroup; cat cpu/cpu.shares cpu/cpu.cfs_quota_us memory/memory.limit_in_bytes 2>/dev/null || cat cpu.max memory.max; echo done >/dev/termination-log',
    ),
  }),
];
const pod = podOf({
  containers: [...containers],
  dnsPolicy: 'ClusterFirst',
  hostname: 'h1',
  subdomain: 'sub',
  setHostnameAsFQDN: true,
  securityContext: {
    runAsUser: 1000,
    runAsGroup: 3000,
    supplementalGroups: [4000, 4001],
    sysctls: [{ name: 'net.ipv4.ip_local_port_range', value: '20000 20100' }],
  },
});

describe('configs of a pod, carried out by containerd', () => {
  const logs = new Map<string, string>();
  let containerd: Containerd | undefined;
  let driver: ContainerRuntime | undefined;
  let podIp = '';
  let terminationMessage = '';

  /** Runs all containers of the pod to their ends. */
  async function runPod({ folder, cgroupParent }: Containerd, { runtime }: ContainerRuntime): Promise<void> {
    const node: NodeSettings = nodeOf({
      rootDirectory: folder,
      hugepageSizes: [],
      cgroups: { driver: 'cgroupfs', root: cgroupParent, isPerQos: true },
    });
    // The test's own folder, not that of the machine.
    const logDirectory = join(folder, 'logs', 'configs');
    const sandboxConfig = { ...buildSandboxConfig({ pod, attempt: 0, node }).config, logDirectory };
    await mkdir(logDirectory, { recursive: true });
    const podSandboxId = await runtime.runPodSandbox({ config: sandboxConfig });
    const podIps = (await runtime.podSandboxStatus(podSandboxId))?.ips ?? [];
    podIp = podIps[0] ?? '';
    for (const container of containers) {
      const plan = buildContainerConfig({
        pod,
        container,
        specHash: 'h',
        attempt: 0,
        image: testImages.busybox,
        imageUser: { userId: undefined, username: '' },
        node,
        volumes: new Map(),
        services: [serviceOf('orch', 'default', '10.0.0.1', [{ port: 443 }])],
        sources: undefined,
        allocatable: {},
        podIps,
        hostIps: [],
        terminationLogName: 'end',
        nodeHostsFile: '',
      });
      for (const { path, content, mode } of plan.files) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
        await chmod(path, mode);
      }
      const id = await runtime.createContainer({ podSandboxId, config: plan.config, sandboxConfig });
      await runtime.startContainer(id);
      const status = await eventually(async () => {
        const seen = await runtime.containerStatus(id);
        return seen?.state === 'exited' ? seen : undefined;
      });
      const lines = (await readFile(status.logPath, 'utf8')).split('\n');
      logs.set(container.name, lines.map((line) => line.split(' ').slice(3).join(' ')).join('\n'));
    }
    terminationMessage = await readFile(join(folder, 'pods/u-1/containers/bounds/end'), 'utf8');
  }

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 });
    await runPod(containerd, driver);
  });
  after(async () => {
    await driver?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });

  it('expand references in environment, command and arguments', () => {
    expect(logs.get('env')).to.equal(`ab$(X_NOPE) $(X_A) 10.0.0.1 ${podIp}\n`);
  });

  it('name the pod, its address and its resolvers', () => {
    const text = logs.get('files') ?? '';
    const full = 'h1.sub.shop.svc.cluster.local';
    expect(text).to.match(new RegExp(`^${full}\n# Orch-managed hosts file\\.\n`));
    expect(text).to.include(`\n${podIp}\t${full}\th1\n`);
    expect(parseResolvConf(text.slice(text.indexOf('search ')))).to.deep.equal({
      servers: ['10.0.0.10'],
      searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.test'],
      options: ['ndots:5'],
    });
  });

  it('run it as it asked, with its kernel parameters', () => {
    expect(logs.get('rights')).to.equal(
      'uid=1001 gid=3000 groups=3000,4000,4001\nNoNewPrivs:\t1\n20000\t20100\n',
    );
  });

  it('bound its control groups and take what it says at its end', () => {
    // Version 1 of control groups, or version 2.
    expect(logs.get('bounds')).to.be.oneOf([
      '999\n256\n150000\n33554432\n',
      '999\n150000 100000\n33554432\n',
    ]);
    expect(terminationMessage).to.equal('done\n');
  });
});
