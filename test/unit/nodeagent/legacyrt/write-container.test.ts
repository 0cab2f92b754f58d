import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { ownLabels } from '../../../../src/nodeagent/legacyrt/container-labels.ts';
import { writeResources } from '../../../../src/nodeagent/legacyrt/container-resources.ts';
import { writeContainer } from '../../../../src/nodeagent/legacyrt/write-container.ts';
import { writeSandbox } from '../../../../src/nodeagent/legacyrt/write-sandbox.ts';
import type { ContainerConfig, PodSandboxConfig } from '../../../../src/nodeagent/runtime/index.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

type Body = Readonly<Record<string, unknown>> & { readonly HostConfig: Readonly<Record<string, unknown>> };

const common = { ownLabels: ownLabels(orchDialect), leastOomScore: -1000, nowMs: 5 };
const metadata = { name: 'web', namespace: 'ns', uid: 'u', attempt: 0 };

async function container(
  config: Partial<ContainerConfig>,
  sandbox: Partial<PodSandboxConfig> = {},
): Promise<Body> {
  const create = {
    podSandboxId: 's',
    config: { metadata: { name: 'c', attempt: 0 }, image: 'i', ...config },
    sandboxConfig: { metadata, logDirectory: '/logs', cgroupParent: '/group', ...sandbox },
  };
  return (await writeContainer({ create, ...common })) as Body;
}

async function sandbox(config: Partial<PodSandboxConfig>, more: object = {}): Promise<Body> {
  const options = { image: 'pause', networkMode: 'default', mapsPorts: true, ...common, ...more };
  return (await writeSandbox({ config: { metadata, ...config }, ...options })) as Body;
}

describe('writeContainer', () => {
  it('leaves program and arguments to the image unless they are given', async () => {
    const plain = await container({});
    expect([plain.Entrypoint, plain.Cmd]).to.deep.equal([undefined, undefined]);
    const body = await container({
      command: ['a'],
      args: ['b', 'c'],
      environment: [{ name: 'N', value: 'a=b' }],
    });
    expect(body).to.deep.include({ Entrypoint: ['a'], Cmd: ['b', 'c'], Env: ['N=a=b'] });
  });

  it('joins its sandbox, in the control group and with the log of the pod', async () => {
    const { HostConfig, Labels } = await container({
      logPath: 'c/0.log',
      labels: { a: '1' },
      annotations: { n: '2' },
    });
    expect(HostConfig).to.include({ NetworkMode: 'container:s', CgroupParent: '/group' });
    expect(Labels).to.deep.equal({
      a: '1',
      'annotation.n': '2',
      'io.orch.legacyrt.type': 'container',
      'io.orch.sandbox.id': 's',
      'io.orch.container.logpath': '/logs/c/0.log',
      'io.orch.created.ms': '5',
    });
  });

  it('mounts, and makes folders that are not there', async () => {
    await using folder = await makeTemporaryDirectory();
    const hostPath = join(folder.path, 'a', 'b');
    const mount = { hostPath, containerPath: '/x:y', isReadOnly: true, relabelsSelinux: false } as const;
    const labelled = {
      ...mount,
      containerPath: '/z',
      relabelsSelinux: true,
      propagation: 'bidirectional',
    } as const;
    const { HostConfig } = await container({ mounts: [{ ...mount, propagation: 'private' }, labelled] });
    const BindOptions = { Propagation: 'rprivate' };
    expect(HostConfig.Mounts).to.deep.equal([
      { Type: 'bind', Source: hostPath, Target: '/x:y', ReadOnly: true, BindOptions },
    ]);
    expect(HostConfig.Binds).to.deep.equal([`${hostPath}:/z:Z,rshared,ro`]);
    expect((await stat(hostPath)).isDirectory()).to.equal(true);
  });

  it('hides no paths but those that it is told to', async () => {
    expect((await container({})).HostConfig).to.deep.include({ MaskedPaths: [], ReadonlyPaths: [] });
    const security = { maskedPaths: ['/proc/a'], readOnlyPaths: ['/proc/b'] };
    const { HostConfig } = await container({ security });
    expect(HostConfig).to.deep.include({ MaskedPaths: ['/proc/a'], ReadonlyPaths: ['/proc/b'] });
  });

  it('is privileged only in a sandbox that is', async () => {
    const security = { isPrivileged: true, addCapabilities: ['X'] };
    const failure = await container({ security }).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'invalid');
    const { HostConfig } = await container({ security }, { security: { isPrivileged: true } });
    expect(HostConfig).to.deep.include({ Privileged: true, CapAdd: [] });
  });
});

describe('writeResources', () => {
  it('names what is bounded, and swap as memory', () => {
    expect(
      writeResources({ cpuShares: 2, memoryLimitBytes: 100, cpuQuotaUs: -1, cpusetCpus: '' }),
    ).to.deep.equal({
      CpuShares: 2,
      Memory: 100,
      MemorySwap: 100,
      CpuQuota: -1,
    });
    expect(writeResources({ memoryLimitBytes: 0, oomScoreAdj: 5 })).to.deep.equal({});
  });
});

describe('writeSandbox', () => {
  it('has a name and ports of its own', async () => {
    const port = { protocol: 'TCP', containerPort: 80, hostPort: 8080 } as const;
    const unmapped = { protocol: 'UDP', containerPort: 53, hostPort: 0 } as const;
    const body = await sandbox({
      hostname: 'h',
      portMappings: [port, { ...port, hostIp: '10.0.0.1' }, unmapped],
    });
    expect(body).to.deep.include({ Image: 'pause', Hostname: 'h', ExposedPorts: { '80/tcp': {} } });
    expect(body.HostConfig).to.deep.include({
      NetworkMode: 'default',
      OomScoreAdj: -998,
      PortBindings: {
        '80/tcp': [
          { HostPort: '8080', HostIp: '' },
          { HostPort: '8080', HostIp: '10.0.0.1' },
        ],
      },
    });
    expect((await sandbox({ portMappings: [port] }, { mapsPorts: false })).HostConfig.PortBindings).to.equal(
      undefined,
    );
  });

  it("has the node's on its network", async () => {
    const security = { namespaces: { network: 'node', pid: 'container', ipc: 'pod' } } as const;
    const body = await sandbox({ hostname: 'h', security }, { leastOomScore: 0 });
    expect(body.Hostname).to.equal('');
    expect(body.HostConfig).to.include({ NetworkMode: 'host', UTSMode: 'host', OomScoreAdj: 0 });
  });
});
