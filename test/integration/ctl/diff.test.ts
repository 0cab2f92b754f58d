import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const manifest = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {size: small, colour: red}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;
const secret = (value: string) =>
  `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"password":"${value}"}}`;

describe('ctl diff', () => {
  let world: CtlServer;
  let namespace = '';
  let count = 0;
  before(async () => {
    world = await startCtlServer();
  });
  after(() => world.stop());
  beforeEach(async () => {
    namespace = `diff-${++count}`;
    await world.ctl(['create', 'ns', namespace]);
  });
  afterEach(() => expect(world.leftovers()).to.deep.equal([]));

  const ctl: CtlServer['ctl'] = (argv, setting) => world.ctl([...argv, '-n', namespace], setting);
  const diff = (stdin: string, ...flags: string[]) => ctl(['diff', '-f', '-', ...flags], { stdin });
  /** Lines that were taken away or added, without the names of the files. */
  const changes = (out: string) => out.split('\n').filter((line) => /^[-+](?![-+])/.test(line));

  it('shows all of an object that is not there yet, and creates nothing', async () => {
    const { code, out, err } = await diff(manifest);
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    expect(out).to.match(/^diff -u -N \S+\/LIVE-\w+\/apps\.v1\.Deployment\.\S+\.web \S+\/MERGED-\w+\/\S+\n/);
    expect(out).to.include(`/v1.ConfigMap.${namespace}.settings`);
    // Defaults are the server's.
    expect(changes(out)).to.include.members(['+  size: small', '+  revisionHistoryLimit: 10']);
    expect(out).to.not.include('managedFields');
    expect((await ctl(['get', 'cm', 'settings'])).code).to.equal(1);
  });

  it('says nothing when apply would change nothing', async () => {
    await ctl(['apply', '-f', '-'], { stdin: manifest });
    expect(await diff(manifest)).to.deep.equal({ code: 0, out: '', err: '' });
  });

  it('shows what apply would change, as the server would store it', async () => {
    await ctl(['apply', '-f', '-'], { stdin: manifest });
    await ctl(['annotate', 'deploy', 'web', 'note=mine']);
    const changed = manifest.replace('size: small, ', '').replace('x:1', 'x:2');
    const { code, out } = await diff(changed);
    expect(code).to.equal(1);
    expect(changes(out)).to.deep.equal([
      '-  generation: 2',
      '+  generation: 3',
      '-      - image: x:1',
      '+      - image: x:2',
      '-  size: small',
    ]);
    expect(await read('deploy/web', '.spec.template.spec.containers[0].image')).to.equal('x:1');
  });
  const read = async (object: string, path: string) =>
    (await ctl(['get', object, '-o', `jsonpath={${path}}`])).out;

  it('takes only objects whose labels fit', async () => {
    const { out } = await diff(manifest, '-l', 'app=web');
    expect(out).to.include('settings').and.not.include('Deployment');
  });

  it('compares managed fields when asked', async () => {
    const { out } = await diff(manifest, '--show-managed-fields');
    expect(out).to.include('+  managedFields:').and.include('manager: ctl-client-side-apply');
  });

  it('never shows the values of secrets', async () => {
    await ctl(['apply', '-f', '-'], { stdin: secret('hunter2') });
    for (const flags of [[], ['--server-side', '--force-conflicts']]) {
      const { out } = await diff(secret('swordfish'), ...flags);
      expect(changes(out)).to.include.members(["-  password: '*** (before)'", "+  password: '*** (after)'"]);
      for (const value of ['hunter2', 'swordfish']) {
        expect(out).to.not.include(value);
        expect(out).to.not.include(Buffer.from(value).toString('base64'));
      }
    }
  });

  it('lets the server merge, and tells conflicts from differences', async () => {
    const flags = ['--server-side', '--field-manager'];
    await ctl(['apply', '-f', '-', ...flags, 'one'], { stdin: manifest });
    const changed = manifest.replace('small', 'large');
    expect((await diff(manifest, ...flags, 'one')).code).to.equal(0);
    const conflict = await diff(changed, ...flags, 'two');
    expect({ code: conflict.code, out: conflict.out }).to.deep.equal({ code: 2, out: '' });
    expect(conflict.err).to.match(/conflict with "one".*\.data\.size/s);
    const forced = await diff(changed, ...flags, 'two', '--force-conflicts');
    expect(forced.code).to.equal(1);
    expect(changes(forced.out)).to.deep.equal(['-  size: small', '+  size: large']);
  });

  it('compares with the program of CTL_EXTERNAL_DIFF and its flags', async () => {
    const program = join(world.folder, 'compare.sh');
    writeFileSync(program, '#!/bin/sh\nls "$1" "$2" | grep -c settings\nshift 2\necho "$@"\nexit 1\n');
    chmodSync(program, 0o755);
    await ctl(['create', 'cm', 'settings']);
    const env = { CTL_EXTERNAL_DIFF: `${program} --color=no ;evil -x` };
    expect(await ctl(['diff', '-f', '-', '-l', 'app=web'], { stdin: manifest, env })).to.deep.equal({
      code: 1,
      out: '2\n--color=no -x\n',
      err: '',
    });
  });

  it('ends with a code above 1 when the program fails or is missing', async () => {
    const program = join(world.folder, 'fail.sh');
    writeFileSync(program, '#!/bin/sh\necho broken >&2\nexit 2\n');
    chmodSync(program, 0o755);
    const failing = { CTL_EXTERNAL_DIFF: program };
    expect(await ctl(['diff', '-f', '-'], { stdin: manifest, env: failing })).to.deep.equal({
      code: 3,
      out: '',
      err: 'broken\nexit status 2\n',
    });
    const missing = { CTL_EXTERNAL_DIFF: '/no/such/program' };
    expect(await ctl(['diff', '-f', '-'], { stdin: manifest, env: missing })).to.deep.equal({
      code: 2,
      out: '',
      err: 'error: unable to run "/no/such/program": executable file not found\n',
    });
  });

  it('ends with 2 after an error of the server or of the command line', async () => {
    const invalid = await diff(manifest.replace('replicas: 2', 'replicas: -2'));
    expect({ code: invalid.code, out: invalid.out }).to.deep.equal({ code: 2, out: '' });
    expect(invalid.err).to.match(/^The Deployment "web" is invalid: spec\.replicas: /);
    expect((await ctl(['diff'])).code).to.equal(2);
    const { code, err } = await diff(manifest, '--force-conflicts');
    expect({ code, err }).to.deep.equal({
      code: 2,
      err: 'error: --force-conflicts only works with --server-side\n',
    });
  });
});
