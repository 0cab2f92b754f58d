import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { createMountCommands } from '../../../src/nodeagent/volumes/index.ts';
import { podManifest, shellContainer, untilAsked } from '../../support/agent-pods.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { eventually } from '../../support/eventually.ts';
import { requireContainerd } from '../../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../../src/app/main.ts', import.meta.url));
const run = promisify(execFile);
const patience = { patienceMs: 40_000 };

/** A driver whose volumes are file systems in memory with one file. */
const driver = `#!/bin/sh
case $1 in
init) echo '{"status":"Success","capabilities":{"attach":false}}';;
mount) mount -t tmpfs none "$2" && echo from the driver >"$2/file" && echo '{"status":"Success"}';;
unmount) umount "$2" && echo '{"status":"Success"}';;
*) echo '{"status":"Not supported"}'; exit 1;;
esac
`;

describe('mounts that pods and their node share', function () {
  this.timeout(90_000);
  requireContainerd();
  let containerd: Containerd;
  let folder: string;
  let root: string;
  let agent: ChildProcess | undefined;
  const mounts = async (): Promise<string[]> =>
    (await createMountCommands().list()).flatMap(({ path }) =>
      path === root || path.startsWith(`${root}/`) ? [path.slice(root.length)] : [],
    );
  before(async () => {
    containerd = await startContainerd();
    folder = join(containerd.folder, 'agent');
    root = join(folder, 'root');
    await mkdir(join(folder, 'manifests'), { recursive: true });
    await mkdir(join(folder, 'seen'));
    await mkdir(join(folder, 'plugins/acme~disk'), { recursive: true });
    await writeFile(join(folder, 'plugins/acme~disk/disk'), driver, { mode: 0o755 });
  });
  afterEach(() => end('SIGKILL'));
  after(() => containerd?.[Symbol.asyncDispose]());

  /** Starts an agent for the manifests of the test. */
  function start(): void {
    const log = openSync(join(folder, 'agent.log'), 'a');
    const flags = [
      ...['--enable-server=false', '--healthz-port=0', '--hostname-override=node1'],
      ...['--container-runtime=remote', `--container-runtime-endpoint=${containerd.endpoint}`],
      ...[`--root-dir=${root}`, `--cert-dir=${folder}/pki`, `--pod-manifest-path=${folder}/manifests`],
      ...['--cgroups-per-qos=false', '--enforce-node-allocatable=', '--fail-swap-on=false'],
      ...['--make-iptables-util-chains=false', '--file-check-frequency=1s'],
      ...[`--volume-plugin-dir=${folder}/plugins`, '--experimental-check-node-capabilities-before-mount'],
    ];
    agent = spawn(process.execPath, [main, 'nodeagent', ...flags], { stdio: ['ignore', log, log] });
    closeSync(log);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = agent;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async function put(name: string, pod: object): Promise<void> {
    await writeFile(join(folder, name), JSON.stringify(pod));
    await rename(join(folder, name), join(folder, 'manifests', `${name}.json`));
  }

  const seen = (name: string): Promise<string> =>
    eventually(async () => {
      const text = await readFile(join(folder, 'seen', name), 'utf8').catch(() => '');
      return text === '' ? undefined : text;
    }, patience);

  const untilMounts = (isSo: (all: readonly string[]) => boolean): Promise<readonly string[]> =>
    eventually(async () => {
      const all = await mounts();
      return isSo(all) ? all : undefined;
    }, patience);

  it('come from drivers, appear on both sides, outlive a killed agent, and leave nothing behind', async () => {
    const shared = join(root, 'shared');
    const mounted = (mountPropagation: string) => ({
      volumeMounts: [
        { name: 'shared', mountPath: '/shared', mountPropagation },
        { name: 'seen', mountPath: '/seen' },
        { name: 'disk', mountPath: '/disk' },
        { name: 'disk', mountPath: '/below', subPath: 'sub' },
      ],
    });
    const volumes = [
      { name: 'shared', hostPath: { path: shared, type: 'DirectoryOrCreate' } },
      { name: 'seen', hostPath: { path: join(folder, 'seen'), type: 'Directory' } },
      { name: 'disk', flexVolume: { driver: 'acme/disk' } },
    ];
    // One mounts for the others, until it is asked to end; the other looks at what appears.
    const mounter = [
      'mkdir -p /shared/ours && mount -t tmpfs none /shared/ours && echo ours >/shared/ours/file',
      'cp /disk/file /seen/.d; mv /seen/.d /seen/disk; touch /below/x',
      "trap 'umount /shared/ours; exit 0' TERM; while :; do sleep 1000 & wait $!; done",
    ].join('\n');
    const watcher = [
      'echo up >/seen/up; until [ -s /shared/theirs/file ]; do sleep 0.1; done; cp /shared/theirs/file /seen/.t; mv /seen/.t /seen/theirs',
      'until [ -s /shared/ours/file ]; do sleep 0.1; done; cp /shared/ours/file /seen/.o; mv /seen/.o /seen/ours',
      untilAsked,
    ].join('\n');
    const pod = (name: string, container: object): object =>
      podManifest({ name, namespace: 'default', spec: { hostNetwork: true, volumes } as never }, [container]);
    start();
    const privileged = { securityContext: { privileged: true }, ...mounted('Bidirectional') };
    await put('watcher', pod('watcher', shellContainer('c', watcher, mounted('HostToContainer'))));
    expect(await seen('up')).to.equal('up\n');
    await put('mounter', pod('mounter', shellContainer('c', mounter, privileged)));

    expect(await seen('disk')).to.equal('from the driver\n');
    expect(await readFile(join(shared, 'ours/file'), 'utf8')).to.equal('ours\n');
    await mkdir(join(shared, 'theirs'));
    await run('mount', ['-t', 'tmpfs', 'none', join(shared, 'theirs')]);
    await writeFile(join(shared, 'theirs/file'), 'theirs\n');
    expect(await seen('theirs')).to.equal('theirs\n');
    expect(await seen('ours')).to.equal('ours\n');

    const before = await mounts();
    await end('SIGKILL');
    expect(await mounts()).to.deep.equal(before);
    start();
    await run('umount', [join(shared, 'theirs')]);
    for (const name of await readdir(join(folder, 'manifests'))) await rm(join(folder, 'manifests', name));
    // The root itself is mounted as long as the agent runs, unless all of the machine is shared.
    await untilMounts((all) => all.every((path) => path === ''));
    await eventually(async () => (await readdir(join(root, 'pods'))).length === 0 || undefined, patience);
    await end('SIGTERM');
    expect(agent?.exitCode).to.equal(0);
    expect(await mounts()).to.deep.equal([]);
  });
});
