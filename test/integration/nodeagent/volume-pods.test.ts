import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { Container, Pod } from '../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import {
  buildContainerConfig,
  buildSandboxConfig,
  type NodeSettings,
} from '../../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime, PodSandboxConfig } from '../../../src/nodeagent/runtime/index.ts';
import {
  createMountCommands,
  createPodVolumes,
  type PodVolumes,
} from '../../../src/nodeagent/volumes/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { containerOf, nodeOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { objectsOf } from '../../unit/nodeagent/volumes/objects.ts';

/** What a container does with its volumes, and what the reference's agent lets it see. */
interface Recording {
  readonly name: string;
  readonly script: string;
  readonly output: string;
  readonly container?: Partial<Container>;
  readonly spec: Partial<Pod['spec']>;
  readonly metadata?: Partial<Pod['metadata']>;
}

const one = [{ name: 'v', mountPath: '/v' }];
const fieldRef = (fieldPath: string) => ({ fieldPath });

/** Scripts and outputs of pods that ran under the reference, release 1.20; `ROOT` is the test's folder. */
const recordings: readonly Recording[] = [
  {
    name: 'config maps by items and modes',
    script: "cd /v; find . | grep -v '\\.\\.' | sort; stat -Lc '%a %n' one sub/two; cat one sub/two",
    output: '.\n./one\n./sub\n400 one\n777 sub/two\nA\nB\n',
    container: { volumeMounts: one },
    spec: {
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'items',
            defaultMode: 256,
            items: [
              { key: 'a', path: 'one' },
              { key: 'b', path: 'sub/two', mode: 511 },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'optional config maps that are missing',
    script: 'ls /v | wc -l',
    output: '0\n',
    container: { volumeMounts: one },
    spec: { volumes: [{ name: 'v', configMap: { name: 'nope', optional: true } }] },
  },
  {
    name: 'fields of the pod',
    script: 'cd /v; for f in $(ls); do echo "== $f $(stat -Lc %a $f)"; cat $f; echo; done',
    output:
      '== ann 644\nsay "hi"\nline2\n== labels 644\na="one"\nb="2"\n== mem 644\n10240\n== name 600\nweb\n== ns 644\nshop\n',
    metadata: { labels: { b: '2', a: 'one' }, annotations: { 'example.test/q': 'say "hi"\nline2' } },
    container: { volumeMounts: one, resources: { requests: { memory: '10Mi' } } },
    spec: {
      volumes: [
        {
          name: 'v',
          downwardAPI: {
            items: [
              { path: 'labels', fieldRef: fieldRef('metadata.labels') },
              { path: 'name', fieldRef: fieldRef('metadata.name'), mode: 384 },
              { path: 'ns', fieldRef: fieldRef('metadata.namespace') },
              { path: 'ann', fieldRef: fieldRef("metadata.annotations['example.test/q']") },
              {
                path: 'mem',
                resourceFieldRef: { containerName: 'c', resource: 'requests.memory', divisor: '1Ki' },
              },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'several sources in one volume',
    script:
      'cd /v; find . | grep -v \'\\.\\.\' | sort; for f in cm/a sec/s labels cpu; do echo "== $f $(stat -Lc %a $f)"; cat $f; echo; done',
    output:
      '.\n./cm\n./cpu\n./labels\n./sec\n== cm/a 440\nA\n== sec/s 400\nS\n== labels 440\nx="1"\ny="two"\n== cpu 440\n250\n',
    metadata: { labels: { x: '1', y: 'two' } },
    container: { volumeMounts: one, resources: { limits: { cpu: '250m' }, requests: { cpu: '250m' } } },
    spec: {
      volumes: [
        {
          name: 'v',
          projected: {
            defaultMode: 288,
            sources: [
              { configMap: { name: 'plain', items: [{ key: 'a', path: 'cm/a' }] } },
              { secret: { name: 'plain', items: [{ key: 's', path: 'sec/s', mode: 256 }] } },
              {
                downwardAPI: {
                  items: [
                    { path: 'labels', fieldRef: fieldRef('metadata.labels') },
                    {
                      path: 'cpu',
                      resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' },
                    },
                  ],
                },
              },
              { configMap: { name: 'none', optional: true } },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'tokens',
    script: "cd /v; stat -Lc '%a %u:%g' t",
    output: '644 0:0\n',
    container: { volumeMounts: one },
    spec: { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
  },
  {
    name: 'emptyDirs that are mounted read-only',
    script: 'exec 2>&1; echo x >/v/f; echo rc $?',
    output: "sh: can't create /v/f: Read-only file system\nrc 1\n",
    container: { volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }] },
    spec: { volumes: [{ name: 'v', emptyDir: {} }] },
  },
  {
    name: 'emptyDirs of a group',
    script: "stat -c '%a %u:%g' /v; touch /v/f; stat -c '%a %u:%g' /v/f; id",
    output: '2777 0:2000\n644 1000:2000\nuid=1000 gid=0 groups=0,2000\n',
    container: { volumeMounts: one, securityContext: { runAsUser: 1000 } },
    spec: { securityContext: { fsGroup: 2000 }, volumes: [{ name: 'v', emptyDir: {} }] },
  },
  {
    name: 'emptyDirs in memory',
    script: 'grep " /v " /proc/mounts | cut -d" " -f1,3; echo x >/v/f; cat /v/f',
    output: 'tmpfs tmpfs\nx\n',
    container: { volumeMounts: one },
    spec: { volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] },
  },
  {
    name: 'paths of the node by their types',
    script: 'ls -ld /a /b /c /d | cut -c1-10; cat /c',
    output: 'drwxr-xr-x\ndrwxr-xr-x\n-rw-r--r--\n-rw-r--r--\ncontent\n',
    container: { volumeMounts: ['a', 'b', 'c', 'd'].map((name) => ({ name, mountPath: `/${name}` })) },
    spec: {
      volumes: [
        { name: 'a', hostPath: { path: 'ROOT', type: 'Directory' } },
        { name: 'b', hostPath: { path: 'ROOT/new', type: 'DirectoryOrCreate' } },
        { name: 'c', hostPath: { path: 'ROOT/file', type: 'File' } },
        { name: 'd', hostPath: { path: 'ROOT/newfile', type: 'FileOrCreate' } },
      ],
    },
  },
  {
    name: 'devices of the node',
    script: 'ls -l /v | cut -c1',
    output: 'c\n',
    container: { volumeMounts: one },
    spec: { volumes: [{ name: 'v', hostPath: { path: '/dev/null', type: 'CharDevice' } }] },
  },
  {
    name: 'sub-paths that are named by variables',
    script: 'find /v | sort',
    output: '/v\n/v/x\n/v/x/web\n',
    container: {
      env: [{ name: 'PN', valueFrom: { fieldRef: fieldRef('metadata.name') } }],
      volumeMounts: [...one, { name: 'v', mountPath: '/s', subPathExpr: 'x/$(PN)' }],
    },
    spec: { volumes: [{ name: 'v', emptyDir: {} }] },
  },
  {
    name: 'sub-paths that are files',
    script: 'cat /etc/one; ls /etc | grep -c one',
    output: 'A\n1\n',
    container: { volumeMounts: [{ name: 'v', mountPath: '/etc/one', subPath: 'a' }] },
    spec: { volumes: [{ name: 'v', configMap: { name: 'items' } }] },
  },
];

describe('volumes as containers of containerd see them', () => {
  let containerd: Containerd | undefined;
  let runtime: ContainerRuntime['runtime'] | undefined;
  let driver: ContainerRuntime | undefined;
  let volumes: PodVolumes | undefined;
  let sandbox: { readonly id: string; readonly config: PodSandboxConfig } | undefined;
  let node: NodeSettings;
  let host = '';
  const known = {
    configMaps: { items: { a: 'A\n', b: 'B\n', c: 'C' }, plain: { a: 'A' } },
    secrets: { plain: { s: 'S' } },
  };

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    const { folder, cgroupParent } = containerd;
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 });
    runtime = driver.runtime;
    node = nodeOf({
      rootDirectory: join(folder, 'agent'),
      hugepageSizes: [],
      cgroups: { driver: 'cgroupfs', root: cgroupParent, isPerQos: true },
    });
    host = join(folder, 'host');
    await mkdir(host, { mode: 0o755 });
    await writeFile(join(host, 'file'), 'content\n', { mode: 0o644 });
    volumes = createPodVolumes({
      onStale() {},
      onOperation() {},
      rootDirectory: node.rootDirectory,
      dialect: orchDialect,
      objects: objectsOf(known),
      clock: systemClock,
      logger: silentLogger,
      mount: createMountCommands(),
      usagePeriodMs: 0,
    });
    // One sandbox holds the containers of all pods: they differ in their volumes only.
    const logDirectory = join(folder, 'logs');
    const plan = buildSandboxConfig({ pod: podOf({ hostNetwork: true }), attempt: 0, node });
    const config = { ...plan.config, logDirectory };
    await mkdir(logDirectory);
    sandbox = { id: await runtime.runPodSandbox({ config }), config };
  });
  after(async () => {
    await driver?.[Symbol.asyncDispose]();
    for (const uid of (await volumes?.podsOnDisk()) ?? []) await volumes?.unmount(uid);
    await containerd?.[Symbol.asyncDispose]();
  });

  /** Runs the pod's one container to its end; what it wrote. */
  async function run(pod: Pod, container: Container, attempt: number): Promise<string> {
    if (volumes === undefined || runtime === undefined || sandbox === undefined)
      throw new Error('not started');
    const { uid = '' } = pod.metadata;
    const mounted = await volumes.mount(pod, { podIps: [], hostIps: [], allocatable: {} });
    const plan = buildContainerConfig({
      pod,
      container,
      specHash: 'h',
      attempt,
      image: testImages.busybox,
      imageUser: { userId: undefined, username: '' },
      node,
      volumes: mounted,
      services: [],
      sources: undefined,
      allocatable: {},
      podIps: [],
      hostIps: [],
      terminationLogName: 'end',
      nodeHostsFile: '',
    });
    for (const { path, content, mode } of plan.files) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      await chmod(path, mode);
    }
    const { subPaths } = plan;
    await volumes.prepareSubPaths({ podUid: uid, containerName: container.name, subPaths });
    const { id: podSandboxId, config: sandboxConfig } = sandbox;
    const id = await runtime.createContainer({ podSandboxId, config: plan.config, sandboxConfig });
    await runtime.startContainer(id);
    const look = async () => {
      const status = await runtime?.containerStatus(id);
      return status?.state === 'exited' ? status : undefined;
    };
    const { logPath } = await eventually(look);
    await runtime.removeContainer(id);
    const lines = (await readFile(logPath, 'utf8')).split('\n');
    return lines.map((line) => line.split(' ').slice(3).join(' ')).join('\n');
  }

  for (const [index, { name, script, output, container, spec, metadata }] of recordings.entries()) {
    it(`are as recorded: ${name}`, async () => {
      const own = containerOf({ ...container, command: ['sh', '-c', script] });
      const uid = `u-${index}`;
      const placed = JSON.parse(JSON.stringify(spec).replaceAll('ROOT', host));
      const pod = podOf({ ...placed, containers: [own] }, { ...metadata, uid });
      expect(await run(pod, own, index)).to.equal(output);
      await volumes?.unmount(uid);
      expect(await stat(join(node.rootDirectory, 'pods', uid)).catch((error) => error.code)).to.equal(
        'ENOENT',
      );
    });
  }

  it('leave what they made on the node as it was made', async () => {
    const modes = ['new', 'newfile'].map(async (name) => (await stat(join(host, name))).mode.toString(8));
    expect(await Promise.all(modes)).to.deep.equal(['40755', '100644']);
  });
});
