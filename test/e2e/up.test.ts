import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { makeAgentCgroup } from '../support/agent-cgroup.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { testImages } from '../support/containerd-images.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { requireContainerd } from '../support/require-containerd.ts';

const launcher = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));
const patience = { patienceMs: 60_000 };

/** A workload whose pods answer HTTP requests. */
const workload = (kind: string, name: string, more = ''): string => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}}
spec:
  ${more}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: web
        image: ${testImages.busybox}
        command: [sh, -c, 'mkdir -p /www; echo ${name} >/www/index.html; exec httpd -f -h /www']
        readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}
`;

const service =
  'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n';
const job = `apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: ${testImages.busybox}, command: ['true']}]
`;

describe('orch up', () => {
  requireContainerd();
  const opened = new AsyncDisposableStack();
  const namespace = `up-${randomBytes(4).toString('hex')}`;
  let containerd: Containerd;
  let flags: readonly string[];
  let folder: string;

  const run = async (name: string, ...argv: readonly string[]) => {
    const env = { ...process.env, HOME: folder, ORCHCONFIG: '' };
    try {
      const { stdout, stderr } = await promisify(execFile)(launcher(name), argv, { env });
      return { code: 0, stdout, stderr };
    } catch (error) {
      // What the runtime adds to the error of a program that failed.
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  };
  const ctl = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run('ctl', '-n', namespace, ...argv);
    if (code !== 0) throw new Error(`ctl ${argv.join(' ')}: ${stderr}`);
    return stdout;
  };
  const apply = async (text: string): Promise<void> => {
    const file = join(folder, 'applied.yaml');
    await writeFile(file, text);
    await ctl('apply', '-f', file);
  };
  const addresses = async (label: string): Promise<readonly string[]> =>
    (await ctl('get', 'pods', '-l', label, '-o', 'jsonpath={.items[*].status.podIP}')).split(' ');
  const answer = (address = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      get(`http://${address}/`, async (incoming) => {
        resolve(
          Buffer.concat(await incoming.toArray())
            .toString('utf8')
            .trim(),
        );
      }).on('error', reject);
    });

  before(async function () {
    this.timeout(90_000);
    containerd = opened.use(await startContainerd());
    folder = join(containerd.folder, 'up');
    await mkdir(folder);
    await makeAgentCgroup(containerd.cgroupParent);
    const [securePort, port, healthzPort] = await freePorts(3);
    const cni = join(folder, 'cni');
    const node = [
      `--root-dir=${join(folder, 'agent')}`,
      `--cert-dir=${join(folder, 'agent-pki')}`,
      `--cgroup-root=${containerd.cgroupParent}`,
      '--address=127.0.0.1',
      `--port=${port}`,
      `--healthz-port=${healthzPort}`,
      '--fail-swap-on=false',
      '--make-iptables-util-chains=false',
    ];
    flags = [
      `--data-dir=${join(folder, 'data')}`,
      `--secure-port=${securePort}`,
      '--node-name=machine',
      `--container-runtime-endpoint=${containerd.endpoint}`,
      `--cni-conf-dir=${cni}`,
      ...node.map((flag) => `--node-flag=${flag}`),
    ];
    const started = await run('orch', 'up', '--detach', ...flags);
    expect(started).to.include({
      code: 0,
      stdout: 'orch is up: node machine takes pods. Next: ctl get nodes\n',
    });
    await ctl('create', 'namespace', namespace);
  });
  after(async function () {
    this.timeout(90_000);
    await run('ctl', 'delete', 'namespace', namespace, '--timeout=30s');
    await run('orch', 'down', `--data-dir=${join(folder, 'data')}`);
    await opened.disposeAsync();
  });

  it('says what runs', async () => {
    const { code, stdout } = await run('orch', 'up', '--status', ...flags);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/server +running +\d+/)
      .and.match(/node agent +running +\d+/);
    expect(stdout).to.match(/node machine +ready/);
    expect(await run('orch', 'up', ...flags)).to.include({ code: 1 });
  });

  it('runs what is applied', async function () {
    this.timeout(120_000);
    await apply(
      [
        workload('Deployment', 'web', 'replicas: 2'),
        service,
        workload('StatefulSet', 'db', 'replicas: 2\n  serviceName: db'),
        workload('DaemonSet', 'each'),
        job,
      ].join('---\n'),
    );
    await ctl('rollout', 'status', 'deployment/web', '--timeout=60s');
    await ctl('rollout', 'status', 'statefulset/db', '--timeout=60s');
    await ctl('rollout', 'status', 'daemonset/each', '--timeout=60s');
    await ctl('wait', '--for=condition=complete', 'job/once', '--timeout=60s');
    for (const name of ['web', 'db', 'each']) {
      for (const address of await addresses(`app=${name}`)) expect(await answer(address)).to.equal(name);
    }
    const endpoints = await ctl('get', 'endpoints', 'web', '-o', 'jsonpath={.subsets[*].addresses[*].ip}');
    expect(endpoints.split(' ')).to.have.members([...(await addresses('app=web'))]);
    expect(await ctl('get', 'pods', '-l', 'app=db', '-o', 'name')).to.equal('pod/db-0\npod/db-1\n');
  });

  it('starts an agent that was killed again', async function () {
    this.timeout(90_000);
    const agent = async () =>
      /node agent +running +(\d+)/.exec((await run('orch', 'up', '--status', ...flags)).stdout)?.[1];
    const first = Number(await agent());
    process.kill(first, 'SIGKILL');
    await eventually(async () => {
      const next = Number((await agent()) ?? first);
      return next !== first ? next : undefined;
    }, patience);
  });

  it('takes over from one that was killed, whose programs end first', async function () {
    this.timeout(120_000);
    const parts = async () => {
      const { stdout } = await run('orch', 'up', '--status', ...flags);
      return Array.from(stdout.matchAll(/^(?:supervisor|server|node agent) +running +(\d+)/gm), (row) =>
        Number(row[1]),
      );
    };
    const before = await addresses('app=web');
    const old = await parts();
    expect(old).to.have.length(3);
    process.kill(old[0] ?? Number.NaN, 'SIGKILL');
    await eventually(async () => (await parts()).length === 0 || undefined, patience);
    const left = await run('orch', 'up', '--status', ...flags);
    expect(left.code).to.equal(1);
    // The agent ends by itself as soon as it says something, because nobody listens any more.
    expect(left.stdout).to.match(
      new RegExp(
        `^orch up was killed and has left (the node agent .* and )?the server \\(process ${old[1]}\\)\\.`,
      ),
    );
    expect((await run('orch', 'up', '--detach', ...flags)).code).to.equal(0);
    const now = await parts();
    expect(now).to.have.length(3);
    expect(now.filter((pid) => old.includes(pid))).to.deep.equal([]);
    // Its own number is gone; a process that was not waited for has no command line.
    for (const pid of old)
      expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).to.equal('');
    expect(await addresses('app=web')).to.deep.equal(before);
  });

  it('drains its node, which leaves pods waiting until they may come back', async function () {
    this.timeout(120_000);
    await ctl(
      'drain',
      'machine',
      '--ignore-daemonsets',
      '--delete-emptydir-data',
      '--force',
      '--timeout=60s',
    );
    expect(await ctl('get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].status.phase}')).to.equal(
      'Pending Pending',
    );
    await ctl('uncordon', 'machine');
    await ctl('rollout', 'status', 'deployment/web', '--timeout=60s');
  });

  it('leaves pods running when it stops, and takes them over when it starts', async function () {
    this.timeout(120_000);
    const before = await addresses('app=web');
    expect(await run('orch', 'down', ...flags.slice(0, 1))).to.include({
      code: 0,
      stdout: 'orch is down; pods run on\n',
    });
    expect((await run('orch', 'up', '--status', ...flags)).code).to.equal(3);
    for (const address of before) expect(await answer(address)).to.equal('web');
    expect((await run('orch', 'up', '-d', ...flags)).code).to.equal(0);
    expect(await addresses('app=web')).to.deep.equal(before);
    expect(await run('orch', 'down', ...flags.slice(0, 1))).to.include({ code: 0 });
    expect((await run('orch', 'up', '-d', ...flags)).code).to.equal(0);
  });
});
