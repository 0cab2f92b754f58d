import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EmbeddedServer, startServer } from '../../../src/app/index.ts';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { type RunSetting, run } from '../../unit/ctl/support/run.ts';
import { quietControllers } from './support/ctl-server.ts';

const manifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {size: small, colour: red}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;

describe('ctl against a server', () => {
  let server: EmbeddedServer;
  let folder: string;
  const ctl = (argv: readonly string[], setting: RunSetting = {}) =>
    run(argv, { env: { ORCHCONFIG: join(folder, 'config') }, home: folder, ...setting });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-integration-'));
    server = await startServer({ flags: [quietControllers] });
    await saveClientConfig(join(folder, 'config'), server.clientConfig);
    writeFileSync(join(folder, 'app.yaml'), manifest);
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lists namespaces over TLS with a client certificate', async () => {
    const { code, out, err } = await ctl([
      'get',
      'namespaces',
      '--no-headers',
      '-o',
      'custom-columns=N:.metadata.name',
    ]);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out.split('\n')).to.include.members(['default', 'orch-system']);
  });

  it('refuses a server that it does not trust', async () => {
    const { code, err } = await run(['get', 'ns', '-s', server.url]);
    expect(code).to.equal(1);
    expect(err).to.match(/^Unable to connect to the server: .*certificate/);
  });

  it('takes a manifest from creation to deletion', async () => {
    const work = (...args: string[]) => ctl([...args, '-n', 'life']);
    const file = join(folder, 'app.yaml');
    expect((await ctl(['create', 'ns', 'life'])).out).to.equal('namespace/life created\n');
    expect((await work('apply', '-f', file)).out).to.equal(
      'configmap/settings created\ndeployment.apps/web created\n',
    );
    expect((await work('apply', '-f', file)).out).to.equal(
      'configmap/settings unchanged\ndeployment.apps/web unchanged\n',
    );

    writeFileSync(file, manifest.replace('size: small, ', '').replace('replicas: 2', 'replicas: 3'));
    expect((await work('annotate', 'cm', 'settings', 'note=mine')).out).to.equal(
      'configmap/settings annotated\n',
    );
    expect((await work('apply', '-f', file)).out).to.equal(
      'configmap/settings configured\ndeployment.apps/web configured\n',
    );
    expect(
      (await work('get', 'cm', 'settings', '-o', 'jsonpath={.data} {.metadata.annotations.note}')).out,
    ).to.equal('{"colour":"red"} mine');
    expect((await work('scale', 'deploy/web', '--current-replicas=3', '--replicas=5')).out).to.equal(
      'deployment.apps/web scaled\n',
    );
    expect((await work('scale', 'deploy/web', '--current-replicas=-2', '--replicas=6')).err).to.equal(
      'error: Expected replicas to be -2, was 5\n',
    );
    expect((await work('get', 'deploy', '--no-headers')).out).to.match(/^web {3}0\/5 /);

    expect((await work('delete', '-f', file)).out).to.equal(
      'configmap "settings" deleted\ndeployment.apps "web" deleted\n',
    );
    expect(await work('get', 'cm,deploy', '-l', 'app=web')).to.deep.equal({
      code: 0,
      out: '',
      err: 'No resources found in life namespace.\n',
    });
  });

  it('creates, applies and replaces what was exported', async () => {
    const work = (...args: string[]) => ctl([...args, '-n', 'exported']);
    await ctl(['create', 'ns', 'exported']);
    await work('create', 'service', 'clusterip', 'web', '--tcp=80');
    const uidOf = async () => (await work('get', 'service', 'web', '-o', 'jsonpath={.metadata.uid}')).out;
    const file = join(folder, 'exported.yaml');
    writeFileSync(file, (await work('get', 'service', 'web', '-o', 'yaml')).out);
    const before = await uidOf();
    expect(await work('replace', '--force', '-f', file)).to.include({ code: 0, err: '' });
    expect(await uidOf()).not.to.equal(before);
    for (const verb of ['create', 'apply']) {
      await work('delete', 'service', 'web');
      expect(await work(verb, '-f', file), verb).to.deep.include({ code: 0 });
    }
  });

  it('deletes nothing to replace it by what the server refuses', async () => {
    await ctl(['create', 'configmap', 'kept', '--from-literal=a=b']);
    const stdin = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kept', labels: { app: 'not a label' } },
    });
    const { code, err } = await ctl(['replace', '--force', '-f', '-'], { stdin });
    expect(code).to.equal(1);
    expect(err).to.include('metadata.labels: Invalid value: "not a label"');
    expect((await ctl(['get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}'])).out).to.equal('b');
  });

  it('describes no configuration that was applied, which may hold secrets', async () => {
    const stdin = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'applied', annotations: { note: 'shown' } },
      stringData: { password: 'swordfish' },
    });
    await ctl(['apply', '-f', '-'], { stdin });
    const { out } = await ctl(['describe', 'secret', 'applied']);
    expect(out).to.match(/Annotations: +note: shown\n/);
    expect(out).not.to.include('swordfish');
    expect(out).not.to.include('last-applied');
  });

  it('finds names among several types', async () => {
    await ctl(['create', 'configmap', 'shared']);
    await ctl(['create', 'secret', 'generic', 'shared']);
    expect((await ctl(['get', 'cm,secret', 'shared', '-o', 'name'])).out).to.equal(
      'configmap/shared\nsecret/shared\n',
    );
    expect((await ctl(['delete', 'cm,secret', 'shared'])).out).to.equal(
      'configmap "shared" deleted\nsecret "shared" deleted\n',
    );
  });

  it('shows what the server says about an invalid object', async () => {
    const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'A_' } });
    const { code, err } = await ctl(['create', '-f', '-'], { stdin });
    expect(code).to.equal(1);
    expect(err).to.match(
      /^The ConfigMap "A_" is invalid: STDIN:\d+:\d+ metadata\.name: Invalid value: "A_": /,
    );
  });

  it('follows changes until its time is over', async () => {
    await ctl(['create', 'configmap', 'first']);
    const argv = ['get', 'configmap', 'first', '--watch', '--output-watch-events', '--request-timeout=1s'];
    const watching = ctl([...argv, '-o', 'jsonpath={.type} {.object.metadata.labels.n}{"\\n"}']);
    await ctl(['label', 'configmap', 'first', 'n=1']);
    const { code, out, err } = await watching;
    // The change comes before the list or after it.
    expect(out).to.match(/^(ADDED 1|ADDED \nMODIFIED 1)\n/);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });

  it('describes objects of any kind', async () => {
    // Without pods the controller has nothing to report.
    await ctl(['create', 'deployment', 'described', '--image=x:1', '--replicas=0']);
    expect((await ctl(['describe', 'deploy', 'described'])).out).to.match(
      /^Name: +described\nNamespace: +default\n[\s\S]*Replicas: +0 desired[\s\S]*Events: +<none>\n$/,
    );
    expect((await ctl(['describe', 'sa', 'default'])).out).to.match(/^Name: +default\n/);
  });

  it('lists what the server has', async () => {
    expect((await ctl(['api-versions'])).out.split('\n')).to.include.members(['v1', 'apps/v1']);
    expect((await ctl(['api-resources', '--api-group=apps', '-o', 'name'])).out).to.equal(
      'controllerrevisions.apps\ndaemonsets.apps\ndeployments.apps\nreplicasets.apps\nstatefulsets.apps\n',
    );
    const { out } = await ctl(['version', '--short']);
    expect(out).to.match(/^Client Version: (v1\.20\.2\+orch\.\d+\.\d+\.\d+)\nServer Version: \1\n$/);
    expect((await ctl(['version', '--client', '--short', '--dialect=kubernetes'])).out).to.equal(
      'Client Version: v1.20.2\n',
    );
  });
});
