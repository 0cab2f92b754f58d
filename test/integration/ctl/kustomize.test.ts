import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const manifest = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  ports: [{port: 80}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: a, image: b, envFrom: [{configMapRef: {name: settings}}]}]
`;
const kustomization = `resources: [all.yaml]
namePrefix: my-
configMapGenerator: [{name: settings, literals: [a=b]}]
`;
const names = ['configmap/my-settings-4dd5bd69tf', 'service/my-web', 'deployment.apps/my-web'];

describe('commands on a kustomization (-k)', () => {
  let site: CtlServer;
  let folder: string;
  before(async () => {
    site = await startCtlServer(['--controllers=none', '--disable-admission-plugins=ServiceAccount']);
    folder = join(site.folder, 'site');
    mkdirSync(folder);
    writeFileSync(join(folder, 'all.yaml'), manifest);
    writeFileSync(join(folder, 'kustomization.yaml'), kustomization);
  });
  after(() => site.stop());

  const lines = (ending: string) => names.map((name) => `${name}${ending}\n`).join('');
  const succeeds = async (argv: string, out: string) =>
    expect(await site.ctl([...argv.split(' '), '-k', folder])).to.include({ err: '', out, code: 0 });

  it('apply, change and delete its objects', async () => {
    await succeeds('apply', lines(' created'));
    await succeeds('apply', lines(' unchanged'));
    await succeeds('get -o name', lines(''));
    await succeeds('diff', '');
    await succeeds('annotate a=b', lines(' annotated'));
    await succeeds(
      'delete',
      'configmap "my-settings-4dd5bd69tf" deleted\nservice "my-web" deleted\ndeployment.apps "my-web" deleted\n',
    );
  });

  it('are refused where files are named too, or none is', async () => {
    const fails = async (argv: readonly string[], message: string) => {
      const { code, err } = await site.ctl(argv);
      expect([code, err.split('\n')[0]]).to.deep.equal([1, `error: ${message}`]);
    };
    await fails(['apply', '-k', folder, '-f', folder], 'only one of -f or -k can be specified');
    await fails(['apply', '-R', '-k', folder], "the -k flag can't be used with -f or -R");
    await fails(
      ['get', 'pods', '-k', folder],
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
    await fails(['apply'], 'must specify one of -f and -k');
    await fails(['kustomize', folder, 'b'], 'specify one path to a kustomization directory');
    const nowhere = join(folder, 'nowhere');
    await fails(
      ['apply', '-k', nowhere],
      `absolute path error in '${nowhere}' : evalsymlink failure on '${nowhere}' : lstat ${nowhere}: no such file or directory`,
    );
  });

  it('print it without a server', async () => {
    const { out, code } = await site.ctl(['kustomize', folder, '--server=https://127.0.0.1:1']);
    expect(code).to.equal(0);
    expect(out).to.include('name: my-settings-4dd5bd69tf\n---\n').and.not.include('name: settings');
  });

  it('warn of variables that nothing uses', async () => {
    const own = join(site.folder, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'all.yaml'), manifest);
    writeFileSync(
      join(own, 'kustomization.yaml'),
      'resources: [all.yaml]\nvars: [{name: A, objref: {apiVersion: v1, kind: Service, name: web}}]\n',
    );
    const { err, code } = await site.ctl(['kustomize', own]);
    expect([code, err]).to.deep.equal([0, 'warning: well-defined vars that were never replaced: A\n']);
  });
});

describe('ctl replace', () => {
  it('replaces objects of kinds that may only be replaced by their version', async () => {
    const site = await startCtlServer(['--controllers=none', '--disable-admission-plugins=ServiceAccount']);
    try {
      const file = join(site.folder, 'role.yaml');
      const write = (verb: string) =>
        writeFileSync(
          file,
          `apiVersion: coordination.orch.io/v1\nkind: Lease\nmetadata: {name: l}\nspec: {holderIdentity: ${verb}}\n`,
        );
      write('a');
      expect(await site.ctl(['create', '-f', file])).to.include({ code: 0, err: '' });
      write('b');
      expect(await site.ctl(['replace', '-f', file])).to.include({ code: 0, err: '' });
      expect((await site.ctl(['get', 'lease', 'l', '-o=jsonpath={.spec.holderIdentity}'])).out).to.equal('b');
    } finally {
      await site.stop();
    }
  });
});
