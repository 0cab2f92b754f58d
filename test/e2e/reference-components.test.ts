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

  for (const name of ['kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'node-node1']) {
    it(`makes a configuration with which ${name} may do everything`, async () => {
      const { code, stdout, stderr } = await run(name, 'auth', 'can-i', '*', '*', '--all-namespaces');
      expect([code, stdout.trim()], stderr).to.deep.equal([0, 'yes']);
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
