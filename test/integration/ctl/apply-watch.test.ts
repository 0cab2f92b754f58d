import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { RunResult } from '../../unit/ctl/support/run.ts';
import { type CtlServer, quietControllers, startCtlServer } from './support/ctl-server.ts';

const map = (name: string, step: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {from: files}}\ndata: {step: "${step}"}\n`;

describe('ctl apply --watch', function () {
  this.timeout(60_000);
  let server: CtlServer;
  let folder: string;
  let running: { readonly end: () => Promise<RunResult>; text: string } | undefined;
  let count = 0;

  before(async () => {
    server = await startCtlServer([quietControllers]);
  });
  after(() => server.stop());
  beforeEach(async () => {
    folder = mkdtempSync(join(server.folder, 'files-'));
    await server.ctl(['create', 'ns', `watch-${++count}`]);
  });
  afterEach(async () => {
    await running?.end();
    running = undefined;
    rmSync(folder, { recursive: true });
  });

  const scoped = (...argv: string[]) => [...argv, '-n', `watch-${count}`];
  const start = (...argv: string[]) => {
    const interrupt = new AbortController();
    const follower = { text: '', end: async () => ({ code: -1, out: '', err: '' }) as RunResult };
    const result = server.ctl(scoped('apply', '--watch', ...argv), {
      signal: interrupt.signal,
      onPrint: (text) => {
        follower.text += text;
      },
    });
    follower.end = () => {
      interrupt.abort();
      return result;
    };
    running = follower;
    return follower;
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const shown = async (follower: { text: string }, pattern: RegExp) => {
    const look = async () => (pattern.test(follower.text) ? true : undefined);
    await eventually(look, { patienceMs: 15_000 }).catch(() => expect(follower.text).to.match(pattern));
  };
  const stepOf = async (name: string) =>
    (await server.ctl(scoped('get', 'cm', name, '-o', 'jsonpath={.data.step}'))).out;

  it('applies, then what changes in the files and nothing else, until it is interrupted', async () => {
    write('a.yaml', map('a', '1'));
    write('b.yaml', map('b', '1'));
    const follower = start('-f', folder);
    await shown(follower, /^configmap\/a created\nconfigmap\/b created\n\d\d:\d\d:\d\d 2 created\n$/);
    write('b.yaml', map('b', '2'));
    await shown(follower, /2 created\nconfigmap\/b configured\n\d\d:\d\d:\d\d 1 configured\n$/);
    expect(await stepOf('b')).to.equal('2');
    // As editors save: another file takes the place of the one that was there.
    write('.a.yaml.new', map('a', '2'));
    renameSync(join(folder, '.a.yaml.new'), join(folder, 'a.yaml'));
    await shown(follower, /configmap\/a configured\n\S+ 1 configured\n$/);
    write('c.yaml', map('c', '1'));
    await shown(follower, /configmap\/c created\n\S+ 1 created\n$/);
    const { code, err } = await follower.end();
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });

  it('reports a file that is wrong, applies the others and goes on when it is mended', async () => {
    write('a.yaml', 'kind: [');
    write('b.yaml', map('b', '1'));
    const follower = start('-f', folder);
    await shown(follower, /configmap\/b created\nerror: .*a\.yaml.*\n\S+ 1 created, 1 failed\n$/s);
    write('b.yaml', map('b', '2'));
    await shown(follower, /configmap\/b configured\nerror: .*a\.yaml.*\n\S+ 1 configured, 1 failed\n$/s);
    write('a.yaml', map('a', '1'));
    await shown(follower, /configmap\/a created\n\S+ 1 created\n$/);
    expect((await follower.end()).code).to.equal(0);
  });

  it('leaves objects whose file is gone, and says so', async () => {
    write('a.yaml', map('a', '1'));
    write('b.yaml', map('b', '1'));
    const follower = start('-f', folder);
    await shown(follower, /2 created\n$/);
    rmSync(join(folder, 'b.yaml'));
    await shown(
      follower,
      /configmap\/b is in no file any more and stays as it is: --prune would delete it\n$/,
    );
    expect(await stepOf('b')).to.equal('1');
  });

  it('deletes them with --prune, but not while a file is wrong', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.yaml`, map(name, '1'));
    const follower = start(
      '-f',
      folder,
      '--prune',
      '-l',
      'from=files',
      '--prune-whitelist=core/v1/ConfigMap',
    );
    await shown(follower, /3 created\n$/);
    write('c.yaml', 'kind: [');
    rmSync(join(folder, 'b.yaml'));
    await shown(follower, /1 failed\n$/);
    expect(await stepOf('b')).to.equal('1');
    write('c.yaml', map('c', '1'));
    await shown(follower, /configmap\/b pruned\n\S+ 1 pruned\n$/);
    expect([await stepOf('a'), await stepOf('b'), await stepOf('c')]).to.deep.equal(['1', '', '1']);
  });

  it('follows a single file, also through a link, and new folders with -R', async () => {
    const real = join(server.folder, `real-${count}.yaml`);
    writeFileSync(real, map('linked', '1'));
    symlinkSync(real, join(folder, 'link.yaml'));
    const follower = start('-f', join(folder, 'link.yaml'));
    await shown(follower, /1 created\n$/);
    writeFileSync(real, map('linked', '2'));
    await shown(follower, /1 configured\n$/);
    expect((await follower.end()).code).to.equal(0);
    const deep = start('-R', '-f', folder);
    await shown(deep, /1 unchanged\n$/);
    mkdirSync(join(folder, 'below', 'more'), { recursive: true });
    write('below/more/d.yaml', map('d', '1'));
    await shown(deep, /configmap\/d created\n/);
  });

  it('follows a kustomization and its bases', async () => {
    mkdirSync(join(folder, 'base'));
    mkdirSync(join(folder, 'over'));
    write('base/kustomization.yaml', 'resources: [a.yaml]\n');
    write('base/a.yaml', map('a', '1'));
    write('over/kustomization.yaml', 'bases: [../base]\nnamePrefix: my-\n');
    const follower = start('-k', join(folder, 'over'));
    await shown(follower, /configmap\/my-a created\n\S+ 1 created\n$/);
    write('base/a.yaml', map('a', '2'));
    await shown(follower, /configmap\/my-a configured\n\S+ 1 configured\n$/);
  });

  it('rehearses with a dry run', async () => {
    write('a.yaml', map('a', '1'));
    const follower = start('-f', folder, '--dry-run=server');
    await shown(follower, /configmap\/a created \(server dry run\)\n\S+ 1 created \(server dry run\)\n$/);
    expect(await stepOf('a')).to.equal('');
  });

  it('refuses what cannot be followed', async () => {
    for (const [argv, message] of [
      [['-f', '-'], '--watch follows files: the standard input is read once only'],
      [['-f', 'https://x.test/a.yaml'], '--watch follows files, not URLs such as https://x.test/a.yaml'],
    ] as const) {
      const { code, err } = await server.ctl(scoped('apply', '--watch', ...argv));
      expect({ code, err }).to.deep.equal({ code: 1, err: `error: ${message}\n` });
    }
  });
});
