import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

// The answers are those of the client of release 1.20 to the same objects.
describe('ctl set', () => {
  let server: CtlServer;
  const run = async (...argv: string[]) => {
    const { code, out, err } = await server.ctl(argv);
    return { code, out, err };
  };
  const set = (...argv: string[]) => run('set', ...argv);
  const field = async (object: string, path: string) =>
    (await run('get', object, '-o', `jsonpath={${path}}`)).out;
  const pods = '.spec.template.spec';

  before(async () => {
    server = await startCtlServer(['--controllers=none']);
    await run('create', 'deployment', 'web', '--image=web:1');
    await run('create', 'service', 'clusterip', 'web', '--tcp=80');
    await run('create', 'rolebinding', 'web', '--role=web', '--user=ann');
    await run('create', 'configmap', 'c', '--from-literal=k=v');
  });
  after(() => server.stop());

  it('image: changes it, once, and says which container is missing', async () => {
    expect(await set('image', 'deployment/web', 'web=web:2')).to.deep.equal({
      code: 0,
      out: 'deployment.apps/web image updated\n',
      err: '',
    });
    expect((await set('image', 'deployment/web', 'web=web:2')).out).to.equal('');
    expect(await set('image', 'deployment', 'web', 'no=x', 'web=web:3', '--record')).to.deep.equal({
      code: 1,
      out: 'deployment.apps/web image updated\n',
      err: 'error: unable to find container named "no"\n',
    });
    expect(await field('deployment/web', `${pods}.containers[0].image`)).to.equal('web:3');
    expect(await field('deployment/web', '.metadata.annotations.orch\\.io/change-cause')).to.contain(
      'ctl set image deployment web',
    );
    for (const named of [['deployment/web'], ['deployment', 'web']]) {
      expect(
        (await set('image', ...named, 'web=x', '--all', '--dry-run=server')).out,
        named.join(' '),
      ).to.equal('deployment.apps/web image updated (server dry run)\n');
    }
    expect((await set('image', 'deployment/web', 'web=x', '--dry-run=server')).out).to.equal(
      'deployment.apps/web image updated (server dry run)\n',
    );
    expect(
      (
        await set(
          'image',
          'deployment/web',
          'web=x',
          '--dry-run=client',
          '-o',
          `jsonpath={${pods}.containers[0].image}`,
        )
      ).out,
    ).to.equal('x');
    expect(await field('deployment/web', `${pods}.containers[0].image`)).to.equal('web:3');
  });

  it('resources: joins quantities with those that are there', async () => {
    expect((await set('resources', 'deployment', 'web', '--limits=cpu=1,memory=0.5Gi')).out).to.equal(
      'deployment.apps/web resource requirements updated\n',
    );
    await set('resources', 'deployment', 'web', '-c', 'w*', '--requests=cpu=0.2');
    expect(await field('deployment/web', `${pods}.containers[0].resources`)).to.equal(
      '{"limits":{"cpu":"1","memory":"512Mi"},"requests":{"cpu":"200m"}}',
    );
    expect((await set('resources', 'deployment', 'web', '-c', 'no', '--limits=cpu=1')).err).to.equal(
      'error: unable to find container named no\n',
    );
    expect((await set('resources', 'deployment/web')).err).to.contain(
      'you must specify an update to requests or limits',
    );
  });

  it('serviceaccount: changes that of the pods', async () => {
    for (const name of ['serviceaccount', 'sa']) {
      expect((await set(name, 'deployment', 'web', 'runner')).out).to.equal(
        'deployment.apps/web serviceaccount updated\n',
      );
    }
    expect(await field('deployment/web', `${pods}.serviceAccountName`)).to.equal('runner');
    expect((await set('sa', 'deployment', 'web', 'no', 'other')).err).to.equal(
      'Error from server (NotFound): deployments.apps "no" not found\n',
    );
    expect(await field('deployment/web', `${pods}.serviceAccountName`)).to.equal('runner');
    expect((await set('sa', 'configmap/c', 'x')).err).to.equal(
      'error: configmaps/c the object is not a pod or does not have a pod template: *v1.ConfigMap\n',
    );
  });

  it('selector: replaces that of a service, at a version', async () => {
    expect((await set('selector', 'service', 'web', 'a=b,c=d')).out).to.equal(
      'service/web selector updated\n',
    );
    expect((await set('selector', 'service/web', 'e=f')).out).to.equal('service/web selector updated\n');
    expect(await field('service/web', '.spec.selector')).to.equal('{"e":"f"}');
    expect((await set('selector', 'service/web', 'g=h', '--resource-version=1')).err).to.contain(
      'Error from server (Conflict)',
    );
    expect((await set('selector', 'deployment/web', 'a=b')).err).to.equal(
      'error: setting a selector is only supported for Services\n',
    );
  });

  it('subject: adds those that are new', async () => {
    const done = 'rolebinding.rbac.authorization.orch.io/web subjects updated\n';
    expect(
      (await set('subject', 'rolebinding', 'web', '--user=ann', '--group=ops', '--serviceaccount=n:a')).out,
    ).to.equal(done);
    expect((await set('subject', 'rolebinding', 'web', '--user=ann')).out).to.equal('');
    expect(await field('rolebinding/web', '.subjects[*].name')).to.equal('ann ops a');
    expect((await set('subject', 'rolebinding', 'web')).err).to.contain(
      'you must specify at least one value of user',
    );
  });

  it('env: sets, imports, lists and takes away variables', async () => {
    expect((await set('env', 'deployment/web', 'A=1', 'B=2')).out).to.equal(
      'deployment.apps/web env updated\n',
    );
    expect((await set('env', 'deployment/web', 'A=1')).out).to.equal('');
    await set('env', 'deployment/web', 'B-', '--from=configmap/c', '--prefix=P_');
    const head = '# Deployment web, container web\nA=1\n';
    expect((await set('env', 'deployment/web', '--list')).out).to.equal(
      `${head}# P_K from configmap c, key k\n`,
    );
    expect((await set('env', 'deployment/web', '--list', '--resolve')).out).to.equal(`${head}P_K=v\n`);
    const piped = await server.ctl(['set', 'env', '-e', '-', 'deployment/web'], { stdin: 'P_K-\n\nC=3\n' });
    expect(piped.out).to.equal('deployment.apps/web env updated\n');
    expect((await set('env', 'deployment/web', '--list')).out).to.equal(`${head}C=3\n`);
    expect(await set('env', 'service/web', 'deployment/web', '--list')).to.deep.equal({
      code: 0,
      out: `${head}C=3\n`,
      err: '',
    });
    expect((await set('env', 'deployment/web', 'A=2', '--overwrite=false')).err).to.equal(
      `error: deployments/web 'A' already has a value (1), and --overwrite is false\n`,
    );
    expect((await set('env', 'deployment/web', '-c', 'no', 'A=2')).err).to.equal(
      'warning: Deployment/web does not have any containers matching "no"\n',
    );
    expect((await set('env', 'deployment/no')).err).to.contain('deployments.apps "no" not found');
    expect((await set('env', 'deployment/web', '=2')).err).to.contain(
      'there is no need to specify a resource type',
    );
    expect((await set('env', 'deployment/web', '--from=deployment/web')).err).to.equal(
      'error: unsupported resource specified in --from\n',
    );
  });

  it('changes files without a server', async () => {
    const file = join(server.folder, 'pod.yaml');
    writeFileSync(
      file,
      'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n',
    );
    const away = ['--local', '-f', file, '--server=https://127.0.0.1:1'];
    expect((await set('image', 'c=j', ...away)).out).to.equal('pod/p image updated\n');
    expect((await set('sa', 'runner', ...away, '-o', 'yaml')).out).to.equal(
      'apiVersion: v1\nkind: Pod\nmetadata:\n  creationTimestamp: null\n  name: p\nspec:\n  containers:\n  - image: i\n    name: c\n    resources: {}\n  serviceAccountName: runner\nstatus: {}\n',
    );
    expect((await set('image', 'c=j', ...away, '--dry-run=server')).err).to.equal(
      'error: cannot specify --local and --dry-run=server - did you mean --dry-run=client?\n',
    );
    expect((await set('image', 'deployment/web', 'c=j', '--local')).err).to.contain(
      'you must specify resources by --filename',
    );
  });
});
