import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { runtimeLabelNames } from '../../../src/nodeagent/container-config/index.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { requireContainerd } from '../../support/require-containerd.ts';

const main = fileURLToPath(new URL('../../../src/app/main.ts', import.meta.url));

const { podName } = runtimeLabelNames(orchDialect);

const podText = (name: string, spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {hostNetwork: true, terminationGracePeriodSeconds: 1, ${spec}}\n`;
const busybox = (command: string, more = ''): string =>
  `containers: [{name: c, image: "localhost/busybox:1", command: [${command}]${more}}]`;

describe('nodeagent --runonce', function () {
  this.timeout(60_000);
  requireContainerd();
  let containerd: Containerd;
  before(async () => {
    containerd = await startContainerd();
  });
  after(() => containerd?.[Symbol.asyncDispose]());

  /** Runs an agent over these manifests until it ends; undefined: it is told of no folder. */
  async function run(name: string, manifests: Readonly<Record<string, string>> | undefined) {
    const folder = join(containerd.folder, name);
    const directory = join(folder, 'manifests');
    await mkdir(directory, { recursive: true });
    for (const [file, text] of Object.entries(manifests ?? {})) await writeFile(join(directory, file), text);
    const flags = [
      ...['--runonce', '--enable-server=false', '--healthz-port=0', '--hostname-override=node1'],
      ...['--container-runtime=remote', `--container-runtime-endpoint=${containerd.endpoint}`],
      ...[`--root-dir=${folder}/root`, `--cert-dir=${folder}/pki`],
      ...(manifests === undefined ? [] : [`--pod-manifest-path=${directory}`]),
      ...['--cgroups-per-qos=false', '--enforce-node-allocatable=', '--fail-swap-on=false'],
      ...['--make-iptables-util-chains=false', '--v=0'],
    ];
    return new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const child = execFile(process.execPath, [main, 'nodeagent', ...flags], (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });
  }

  it('starts the pods of the files, reports each, ends well, and leaves them running', async () => {
    const { code, out } = await run('good', {
      'done.yaml': podText('done', `restartPolicy: Never, ${busybox('"true"')}`),
      'stays.yaml': podText('stays', busybox('sleep, "600"')),
    });
    expect(out.trim().split('\n').sort()).to.deep.equal([
      'started pod "default/done-node1"',
      'started pod "default/stays-node1"',
    ]);
    expect(code).to.equal(0);
    const driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 10_000 });
    try {
      // A pod counts as started as soon as it runs: whether the short one has ended by now is open.
      const stateOf = async (pod: string) =>
        (await driver.runtime.listContainers({ labels: { [podName]: pod } })).map(({ state }) => state);
      expect(await stateOf('stays-node1')).to.deep.equal(['running']);
      expect(await stateOf('done-node1')).to.have.length(1);
    } finally {
      await driver[Symbol.asyncDispose]();
    }
  });

  it('fails when a pod cannot be started or a manifest cannot be used, and starts the others', async () => {
    const { code, out, err } = await run('bad', {
      'broken.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: x\n',
      'fine.yaml': podText('fine', busybox('sleep, "600"')),
      'large.yaml': podText('large', busybox('sleep, "600"', ', resources: {requests: {memory: 100Ti}}')),
      'missing.yaml': podText(
        'missing',
        'containers: [{name: c, image: "localhost/no:1", imagePullPolicy: Never}]',
      ),
    });
    expect(out).to.equal('started pod "default/fine-node1"\n');
    expect(err).to.match(/failed to start pod "default\/large-node1": UnexpectedAdmissionError: /);
    expect(err).to.match(/failed to start pod "default\/missing-node1": container "c": ErrImageNeverPull: /);
    expect(err).to.match(
      /runonce failed: error running pods: \[default\/\S+ default\/\S+ 1 manifests could not be used\]/,
    );
    expect(code).to.equal(255);
  });

  it('fails without anywhere to take pods from', async () => {
    const { code, out, err } = await run('none', undefined);
    expect(out).to.equal('');
    expect(err).to.match(/^runonce failed: no pod manifest update after 1s/m);
    expect(code).to.equal(255);
  });

  it('ends well over a folder without manifests', async () => {
    expect(await run('empty', {})).to.deep.include({ code: 0, out: '' });
  });
});
