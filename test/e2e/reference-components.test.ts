import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type ClientRun, requireReleaseClient, runReleaseClient } from '../support/release-client.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const ctl = fileURLToPath(new URL('../../bin/ctl', import.meta.url));
const page = fileURLToPath(new URL('../../docs/with-reference-components.md', import.meta.url));

describe('docs/with-reference-components.md', function () {
  this.timeout(120_000);
  let path: string;
  let directory: TemporaryDirectory;
  let server: ServeProcess;
  before(async function () {
    path = await requireReleaseClient(this);
    directory = await makeTemporaryDirectory();
    server = await startServe(['--dialect=kubernetes', `--data-dir=${join(directory.path, 'data')}`]);
    const folder = join(directory.path, 'etc');
    await mkdir(folder);
    await writeFile(join(folder, 'client.cnf'), 'extendedKeyUsage = clientAuth\n');
    const [, section = ''] = (await readFile(page, 'utf8')).split('\n## Client configurations\n');
    const [, commands = ''] = section.split('\n```\n');
    const script = commands
      .replaceAll('/etc/kubernetes', folder)
      .replaceAll('/var/lib/orch', join(directory.path, 'data'))
      .replaceAll('https://127.0.0.1:6443', server.url)
      .replaceAll('ctl --dialect', `${ctl} --dialect`);
    await promisify(execFile)('sh', ['-e', '-c', script]);
  });
  after(async () => {
    await server?.stop();
    await directory?.remove();
  });

  const run = (name: string, ...args: string[]): Promise<ClientRun> => {
    const config = join(directory.path, 'etc', `${name}.conf`);
    return runReleaseClient(path, [`--kubeconfig=${config}`, `--cache-dir=${directory.path}`, ...args]);
  };

  const answers: [component: string, question: string, answer: 'yes' | 'no'][] = [
    ['kube-controller-manager', '* *', 'yes'],
    ['kube-scheduler', 'create pods --subresource=binding', 'yes'],
    ['kube-scheduler', 'patch pods --subresource=status', 'yes'],
    ['kube-scheduler', 'get secrets', 'no'],
    ['kube-proxy', 'watch services', 'yes'],
    ['kube-proxy', 'watch endpointslices.discovery.k8s.io', 'yes'],
    ['kube-proxy', 'delete services', 'no'],
    ['node-node1', 'watch pods', 'yes'],
    ['node-node1', 'patch nodes --subresource=status', 'yes'],
    ['node-node1', 'list secrets', 'no'],
  ];
  for (const [name, question, answer] of answers) {
    it(`makes a configuration that says ${answer} when ${name} asks to ${question}`, async () => {
      const words = question.split(' ');
      const { stdout, stderr } = await run(name, 'auth', 'can-i', ...words, '--all-namespaces');
      expect(stdout.trim().split(' ')[0], stderr).to.equal(answer);
    });
  }

  it('finds there what the components read when they start', async () => {
    const objects = [
      ['configmap', 'extension-apiserver-authentication', 'kube-system'],
      ['namespace', 'kube-node-lease', 'default'],
      ['service', 'kubernetes', 'default'],
      ['endpoints', 'kubernetes', 'default'],
    ] as const;
    for (const [kind, name, namespace] of objects) {
      const { code, stderr } = await run('kube-controller-manager', 'get', kind, name, '-n', namespace);
      expect(code, stderr).to.equal(0);
    }
  });
});
