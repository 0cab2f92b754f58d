import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

describe('ctl: command lines as release 1.20 takes them', () => {
  let server: CtlServer;
  const run = (...argv: string[]) => server.ctl(argv, { env: { ORCH_DIALECT: 'kubernetes' } });
  const ok = async (...argv: string[]) => {
    const { code, out, err } = await run(...argv);
    expect(code, err).to.equal(0);
    return out;
  };
  const refused = async (...argv: string[]) => {
    const { code, err } = await run(...argv);
    expect(code, argv.join(' ')).to.equal(1);
    return err;
  };

  before(async () => {
    server = await startCtlServer(['--controllers=none', '--dialect', 'kubernetes']);
    await ok('create', 'configmap', 'a');
    await ok('create', 'configmap', 'b');
    await ok('create', 'deployment', 'd', '--image=i');
  });
  after(() => server.stop());

  it('records a change in the same patch', async () => {
    const version = () => ok('get', 'deployment', 'd', '-o', 'jsonpath={.metadata.generation}');
    await ok('set', 'image', 'deployment/d', 'i=j', '--record');
    expect(await version()).to.equal('2');
    const cause = await ok('get', 'deployment', 'd', '-o', 'jsonpath={.metadata.annotations}');
    expect(cause).to.contain('kubectl set image deployment/d i=j --record=true');
    expect(await ok('label', 'cm', 'a', 'x=y', '--record', '-o', 'yaml'))
      .to.contain('x: "y"')
      .and.to.contain('change-cause: kubectl label cm a x=y --record=true')
      .and.not.to.contain('manager: kubectl-label');
  });

  it('refuses two templates, and an empty name', async () => {
    expect(await refused('get', 'cm', '-o', 'jsonpath=A', '--template=B')).to.contain(
      'unable to match a printer suitable for the output format "jsonpath=A"',
    );
    expect(await ok('get', 'cm', '-o', 'custom-columns', '--template=N:.kind')).to.match(/^N\nConfigMap\n/);
    expect(await refused('delete', 'cm', '')).to.contain('resource name may not be empty');
    expect(await refused('set', 'image', '', 'a=b', '--all')).to.contain('resource type ""');
  });

  it('sorts by fields that are not there', async () => {
    const nothing = await run('get', 'cm', '--sort-by=.x');
    expect([nothing.code, nothing.out]).to.deep.equal([0, '']);
    expect(nothing.err).to.contain('No resources found');
    expect(await ok('get', 'cm', 'a', '--sort-by=.x')).to.contain('a ');
    expect(await refused('get', 'cm,sa', '--sort-by=.metadata.name')).to.contain(`couldn't find any field`);
  });

  it('takes empty sources for none, and lists variables for people only', async () => {
    await ok('create', 'configmap', 'n', '--from-literal=', '--from-env-file=');
    expect(await refused('set', 'env', 'deployment/d', '--list', '-o', 'yaml')).to.contain(
      '--list and --output may not be specified together',
    );
  });

  it('says that a text is invalid, and why in the next file only', async () => {
    const edit = (editor: string) =>
      server.ctl(['edit', 'cm', 'a'], { env: { ORCH_DIALECT: 'kubernetes', KUBE_EDITOR: editor } });
    expect((await edit('truncate -s 0')).err).to.match(
      /^error: configmaps "a" is invalid\nA copy of your changes .*\nerror: Edit cancelled, no valid changes were saved.\n$/,
    );
    expect((await edit('/nowhere/editor')).err).to.contain('there was a problem with the editor');
  });

  it('describes neither of two objects when one is missing', async () => {
    const { code, out } = await run('describe', 'cm/a', 'cm/zz');
    expect([code, out]).to.deep.equal([1, '']);
    expect(await refused('describe', 'cm,sa', 'a')).to.contain('you may only specify a single resource type');
  });
});
