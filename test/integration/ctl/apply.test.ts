import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EmbeddedServer, startServer } from '../../../src/app/index.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { run } from '../../unit/ctl/support/run.ts';
import { quietControllers } from './support/ctl-server.ts';

const deployment = (
  name: string,
  { replicas = 2, containers = '[{name: c, image: "x:1"}]', strategy = '{type: RollingUpdate}' } = {},
) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
  ${replicas === 0 ? '' : `replicas: ${replicas}`}
  strategy: ${strategy}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: ${containers}}
`;

describe('ctl apply against a server', () => {
  let server: EmbeddedServer;
  let folder: string;
  let file: string;
  const ctl = (...argv: string[]) => run(argv, { env: { ORCHCONFIG: join(folder, 'config') }, home: folder });
  const apply = (manifest: string, ...flags: string[]) => {
    writeFileSync(file, manifest);
    return ctl('apply', '-f', file, ...flags);
  };
  const read = async (name: string, path: string) =>
    (await ctl('get', 'deploy', name, '-o', `jsonpath=${path}`)).out;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-apply-'));
    file = join(folder, 'app.yaml');
    server = await startServer({ flags: [quietControllers] });
    await saveClientConfig(join(folder, 'config'), server.clientConfig);
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sums up on a terminal what happened to several objects, those that failed too', async () => {
    writeFileSync(file, [deployment('sum1'), deployment('sum2'), deployment('BAD')].join('---\n'));
    const applyOnTerminal = () =>
      run(['apply', '-f', file], {
        env: { ORCHCONFIG: join(folder, 'config'), NO_COLOR: '1' },
        home: folder,
        isTerminal: true,
      });
    const created = 'deployment.apps/sum1 created\ndeployment.apps/sum2 created\n2 created, 1 failed\n';
    expect(await applyOnTerminal()).to.include({ code: 1, out: created });
    expect((await applyOnTerminal()).out).to.include('sum2 unchanged\n2 unchanged, 1 failed\n');
    expect((await ctl('apply', '-f', file)).out).to.match(/sum2 unchanged\n$/);
  });

  describe('on the client', () => {
    it('merges lists by key, and leaves what others added', async () => {
      const two = '[{name: c, image: "x:1", args: [a, b]}, {name: gone, image: "y:1"}]';
      expect((await apply(deployment('merged', { containers: two }))).out).to.equal(
        'deployment.apps/merged created\n',
      );
      const injected = '{"spec":{"template":{"spec":{"containers":[{"name":"injected","image":"z:1"}]}}}}';
      await ctl('patch', 'deploy', 'merged', '-p', injected);
      const changed = '[{name: c, image: "x:2", args: [b]}, {name: d, image: "d:1"}]';
      expect(await apply(deployment('merged', { containers: changed }))).to.deep.equal({
        code: 0,
        out: 'deployment.apps/merged configured\n',
        err: '',
      });
      expect(
        await read('merged', '{range .spec.template.spec.containers[*]}{.name}={.image}{.args} {end}'),
      ).to.equal('injected=z:1 c=x:2["b"] d=d:1 ');
      expect((await apply(deployment('merged', { containers: changed }))).out).to.equal(
        'deployment.apps/merged unchanged\n',
      );
    });

    it('clears the parameters of a strategy that is no longer wanted', async () => {
      await apply(deployment('union'));
      expect(await read('union', '{.spec.strategy.rollingUpdate.maxSurge}')).to.equal('25%');
      expect((await apply(deployment('union', { strategy: '{type: Recreate}' }))).err).to.equal('');
      expect(await read('union', '{.spec.strategy}')).to.equal('{"type":"Recreate"}');
    });

    it('rehearses on the client what the server then does', async () => {
      await apply(deployment('rehearsed'));
      const changed = deployment('rehearsed', { containers: '[{name: d, image: "d:1"}]', replicas: 4 });
      const template = ['-o', 'jsonpath={.spec.replicas} {.spec.template.spec.containers[*].name}'];
      const rehearsal = await apply(changed, '--dry-run=client', ...template);
      expect(rehearsal.out).to.equal('4 d');
      expect(await read('rehearsed', '{.spec.replicas}')).to.equal('2');
      expect((await apply(changed, ...template)).out).to.equal(rehearsal.out);
    });

    it('lets the live object win when told so', async () => {
      await apply(deployment('careful'));
      await ctl('scale', 'deploy', 'careful', '--replicas=7');
      const { code, err } = await apply(deployment('careful', { replicas: 3 }), '--overwrite=false');
      expect(code).to.equal(1);
      expect(err).to.contain('* spec.replicas\n');
      expect(await read('careful', '{.spec.replicas}')).to.equal('7');
    });
  });

  describe('on the server', () => {
    const managers = '{range .metadata.managedFields[*]}{.manager}:{.operation} {end}';

    it('creates an object and records who applied it', async () => {
      expect(await apply(deployment('made'), '--server-side')).to.deep.equal({
        code: 0,
        out: 'deployment.apps/made serverside-applied\n',
        err: '',
      });
      expect(await read('made', managers)).to.equal('ctl:Apply ');
      const { out } = await apply(deployment('made'), '--server-side', '-o', 'name');
      expect(out).to.equal('deployment.apps/made\n');
    });

    it('rehearses without keeping anything', async () => {
      const flags = ['--server-side', '--dry-run=server'];
      expect((await apply(deployment('unmade'), ...flags)).out).to.equal(
        'deployment.apps/unmade serverside-applied (server dry run)\n',
      );
      expect((await ctl('get', 'deploy', 'unmade')).err).to.contain('NotFound');
    });

    it('removes what the file no longer has', async () => {
      await apply(
        deployment('shrunk', { containers: '[{name: c, image: "x:1"}, {name: d, image: "d:1"}]' }),
        '--server-side',
      );
      await apply(deployment('shrunk'), '--server-side');
      expect(await read('shrunk', '{.spec.template.spec.containers[*].name}')).to.equal('c');
    });

    it('shows conflicts, and takes fields over by force', async () => {
      await apply(deployment('fought'), '--server-side', '--field-manager=first');
      const other = deployment('fought', { replicas: 5 });
      const { code, out, err } = await apply(other, '--server-side', '--field-manager=second');
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(
        /^error: Apply failed with 1 conflict: conflict with "first": \.spec\.replicas\nThese fields have other managers\./,
      );
      expect(await read('fought', '{.spec.replicas}')).to.equal('2');
      const flags = ['--server-side', '--field-manager=second', '--force-conflicts'];
      expect((await apply(other, ...flags)).out).to.equal('deployment.apps/fought serverside-applied\n');
      expect(await read('fought', '{.spec.replicas}')).to.equal('5');
    });

    it('gives each of several conflicts its line', async () => {
      await apply(deployment('fought-more'), '--server-side', '--field-manager=first');
      const other = deployment('fought-more', { replicas: 5, strategy: '{type: Recreate}' });
      const { err } = await apply(other, '--server-side', '--field-manager=second');
      const lines = err.split('\n').filter((line) => line.startsWith('- '));
      expect(lines).to.have.members([
        '- .spec.replicas: conflict with "first"',
        '- .spec.strategy.type: conflict with "first"',
      ]);
    });

    it('goes on from client-side apply, and back', async () => {
      await apply(deployment('moved'));
      const two = '[{name: c, image: "x:1"}, {name: d, image: "d:1"}]';
      expect(
        await apply(deployment('moved', { replicas: 3, containers: two }), '--server-side'),
      ).to.deep.equal({ code: 0, out: 'deployment.apps/moved serverside-applied\n', err: '' });
      // The server keeps the annotation current, so client-side apply knows that d is no longer wanted.
      expect(await apply(deployment('moved', { replicas: 6 }))).to.deep.equal({
        code: 0,
        out: 'deployment.apps/moved configured\n',
        err: '',
      });
      expect(await read('moved', '{.spec.replicas} {.spec.template.spec.containers[*].name}')).to.equal(
        '6 c',
      );
    });

    it('does not move what others than client-side apply set', async () => {
      await apply(deployment('scaled'));
      await ctl('scale', 'deploy', 'scaled', '--replicas=9');
      const { code, err } = await apply(deployment('scaled', { replicas: 3 }), '--server-side');
      expect(code).to.equal(1);
      expect(err).to.match(/conflict with "[^"]+" using apps\/v1.*: \.spec\.replicas/);
    });

    it('leaves ownership to client-side apply for another manager', async () => {
      await apply(deployment('apart'));
      const { code, err } = await apply(
        deployment('apart', { replicas: 3 }),
        '--server-side',
        '--field-manager=someone',
      );
      expect(code).to.equal(1);
      expect(err).to.match(/conflict with "ctl-client-side-apply" using apps\/v1.*: \.spec\.replicas/);
    });

    it('shows managed fields, or leaves them out', async () => {
      await apply(deployment('shown'), '--server-side');
      expect((await ctl('get', 'deploy', 'shown', '-o', 'yaml')).out).to.contain('managedFields:');
      const hidden = await ctl('get', 'deploy', 'shown', '-o', 'yaml', '--show-managed-fields=false');
      expect(hidden.out).to.contain('name: shown').and.not.contain('managedFields');
      const patched = await ctl(
        'patch',
        'deploy',
        'shown',
        '-p',
        '{"spec":{"replicas":4}}',
        '-o',
        'json',
        '--show-managed-fields=false',
      );
      expect(patched.out).to.contain('"replicas": 4').and.not.contain('managedFields');
    });
  });
});
