import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createScriptedEditor, substitute } from '../../unit/ctl/support/scripted-editor.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {size: small}\n';
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;

describe('flags of commands that change objects', () => {
  let site: CtlServer;
  let mapFile: string;
  let deploymentFile: string;
  before(async () => {
    site = await startCtlServer(['--controllers=none', '--disable-admission-plugins=ServiceAccount']);
    mapFile = join(site.folder, 'map.yaml');
    deploymentFile = join(site.folder, 'deployment.yaml');
    writeFileSync(mapFile, map);
    writeFileSync(deploymentFile, deployment);
  });
  after(() => site.stop());
  afterEach(async () => {
    await site.ctl(['delete', 'cm/settings', 'deploy/web', '--ignore-not-found']);
  });

  const ctl: CtlServer['ctl'] = (argv, setting) => site.ctl(argv, setting);
  const firstError = async (...argv: string[]) => (await ctl(argv)).err.split('\n')[0];
  const size = async () => (await ctl(['get', 'cm', 'settings', '-o=jsonpath={.data.size}'])).out;

  describe('--raw', () => {
    const path = '/api/v1/namespaces/default/configmaps';

    it('sends a file as it is, in YAML or JSON, and prints the answer', async () => {
      const made = await ctl(['create', `--raw=${path}`, '-f', mapFile]);
      expect([made.code, JSON.parse(made.out).metadata.name]).to.deep.equal([0, 'settings']);
      const body = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings' },
        data: { size: 'xl' },
      };
      const stdin = JSON.stringify(body);
      expect((await ctl(['replace', `--raw=${path}/settings`, '-f', '-'], { stdin })).code).to.equal(0);
      expect(await size()).to.equal('xl');
      expect(await firstError('create', `--raw=${path}`, '-f', mapFile)).to.equal(
        'Error from server (AlreadyExists): configmaps "settings" already exists',
      );
    });

    const refused: readonly (readonly [flags: string, message: string])[] = [
      ['-f a -f b', '--raw can only use a single local file or stdin'],
      ['-f http://127.0.0.1:1/x', '--raw cannot read from a url'],
      ['-f a --edit', '--raw and --edit are mutually exclusive'],
      ['-f a -o yaml', '--raw and --output are mutually exclusive'],
      ['-f a -l b=c', '--raw and --selector (-l) are mutually exclusive'],
      ['-f a --record', '--raw and --record are mutually exclusive'],
      ['-f a --dry-run=client', '--raw and --dry-run are mutually exclusive'],
      ['-f /nowhere/a', 'open /nowhere/a: no such file or directory'],
    ];
    for (const [flags, message] of refused) {
      it(`is refused with ${flags}`, async () => {
        expect(await firstError('create', '--raw=/x', ...flags.split(' '))).to.equal(`error: ${message}`);
      });
    }
  });

  describe('create --edit', () => {
    it('creates what was made of an object in an editor', async () => {
      const editor = createScriptedEditor(site.folder, substitute('size: small', 'size: large'));
      const env = { EDITOR: editor.command };
      expect(await ctl(['create', '-f', mapFile, '--edit'], { env })).to.include({
        code: 0,
        out: 'configmap/settings created\n',
        err: '',
      });
      expect(editor.seen()[0]).to.match(/^# Please edit the object below\./);
      expect(await size()).to.equal('large');
    });

    it('creates nothing when nothing was changed', async () => {
      const editor = createScriptedEditor(site.folder, '');
      const result = await ctl(['create', '-f', mapFile, '--edit'], { env: { EDITOR: editor.command } });
      expect(result).to.include({ code: 0, out: '', err: 'Edit cancelled, no changes made.\n' });
      expect((await ctl(['get', 'cm', 'settings'])).code).to.equal(1);
    });
  });

  describe('replace --force', () => {
    it('says that the old object was deleted', async () => {
      await ctl(['create', '-f', mapFile]);
      const flags = ['--grace-period=0', '--timeout=30s', '--cascade=background', '--wait'];
      expect(await ctl(['replace', '--force', ...flags, '-f', mapFile])).to.include({
        code: 0,
        out: 'configmap "settings" deleted\nconfigmap/settings replaced\n',
        err: '',
      });
    });

    it('is what flags about the end of objects need', async () => {
      const message = (flag: string) => `error: ${flag} must have --force specified`;
      expect(await firstError('replace', '-f', mapFile, '--grace-period=1')).to.equal(
        message('--grace-period'),
      );
      expect(await firstError('replace', '-f', mapFile, '--timeout=1s')).to.equal(message('--timeout'));
      expect(await firstError('replace', '-f', mapFile, '--cascade=orphan')).to.match(
        /no effect without --force/,
      );
    });

    it('gives up when the old object stays longer than the timeout', async () => {
      await ctl(['create', '-f', '-'], {
        stdin: map.replace('{name: settings}', '{name: settings, finalizers: [a.b/c]}'),
      });
      expect(await firstError('replace', '--force', '--timeout=1s', '-f', mapFile)).to.match(
        /timed out waiting for the condition on configmaps\/settings$/,
      );
      await ctl(['patch', 'cm', 'settings', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    });
  });

  describe('patch --local', () => {
    it('patches what a file holds, without a server', async () => {
      const nowhere = ['--server=https://127.0.0.1:1', '--local', '-f'];
      const patched = await ctl([
        'patch',
        ...nowhere,
        deploymentFile,
        '-p',
        '{"spec":{"replicas":3}}',
        '-o',
        'yaml',
      ]);
      expect(patched).to.include({ code: 0, err: '' });
      expect(patched.out).to.equal(
        'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  selector:\n    matchLabels:\n      app: web\n' +
          '  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n      - image: x:1\n        name: c\n',
      );
      const same = await ctl(['patch', ...nowhere, mapFile, '-p', '{"data":{"size":"small"}}']);
      expect(same.out).to.equal('configmap/settings patched (no change)\n');
    });

    it('is refused with objects of a server', async () => {
      const flags = ['--local', '-p', '{}'];
      expect(await firstError('patch', 'cm', 'a', ...flags)).to.equal(
        'error: cannot specify --local and server resources',
      );
      expect(await firstError('patch', '-f', mapFile, '--dry-run=server', ...flags)).to.equal(
        'error: cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
      );
    });
  });

  it('scale --timeout waits until the pods are there', async () => {
    await ctl(['create', '-f', deploymentFile]);
    expect(await ctl(['scale', 'deploy', 'web', '--replicas=0', '--timeout=30s'])).to.include({
      code: 0,
      err: '',
    });
    // Nobody makes pods here.
    expect(await firstError('scale', 'deploy', 'web', '--replicas=2', '--timeout=1s')).to.equal(
      'error: timed out waiting for "web" to be synced',
    );
  });

  it('apply --prune --wait waits until what was pruned is gone', async () => {
    await ctl(['apply', '-f', '-'], {
      stdin: map.replace('{name: settings}', '{name: settings, labels: {a: b}, finalizers: [a.b/c]}'),
    });
    await ctl(['apply', '-f', deploymentFile]);
    const labelled = deployment.replace('{name: web}', '{name: web, labels: {a: b}}');
    const prune = ['apply', '--prune', '-l', 'a=b', '--prune-whitelist=core/v1/ConfigMap', '-f', '-'];
    expect((await ctl([...prune, '--wait', '--timeout=1s'], { stdin: labelled })).err).to.equal(
      'error: timed out waiting for the condition on configmaps/settings\n',
    );
    await ctl(['patch', 'cm', 'settings', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    expect(await ctl([...prune, '--wait', '--openapi-patch=false'], { stdin: labelled })).to.include({
      code: 0,
      err: '',
    });
  });

  it('edit-last-applied --record keeps the command line', async () => {
    await ctl(['apply', '-f', mapFile]);
    const editor = createScriptedEditor(site.folder, substitute('size: small', 'size: large'));
    const argv = ['apply', 'edit-last-applied', 'cm/settings', '--record'];
    expect((await ctl(argv, { env: { EDITOR: editor.command } })).code).to.equal(0);
    const { out } = await ctl([
      'get',
      'cm',
      'settings',
      '-o=jsonpath={.metadata.annotations.orch\\.io/change-cause}',
    ]);
    expect(out).to.equal('ctl apply edit-last-applied cm/settings --record=true');
  });
});
