import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from './support/run.ts';

/** Says what it was called with: its own name, its arguments, a variable of the environment; and ends with 7. */
const echo = `#!/bin/sh
echo "\${0##*/}:$*:$COLOUR"
echo "to standard error" >&2
exit 7
`;

describe('programs on PATH as commands', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryDirectory>>;
  let path: string;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    for (const name of ['first', 'second']) mkdirSync(join(folder.path, name));
    path = `${join(folder.path, 'first')}::relative:${join(folder.path, 'second')}`;
  });

  afterEach(() => folder.remove());

  const write = (name: string, { content = echo, mode = 0o755 } = {}): string => {
    const file = join(folder.path, name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  };
  const ctl = (...argv: string[]) => run(argv, { env: { PATH: `${path}:/bin:/usr/bin`, COLOUR: 'green' } });
  const list = (...argv: string[]) => run(['plugin', 'list', ...argv], { env: { PATH: path } });

  it('get the arguments and the environment, and their exit code is the one of the client', async () => {
    write('first/ctl-foo');
    expect(await ctl('foo', 'one', '--two=3', '-h')).to.deep.equal({
      code: 7,
      out: 'ctl-foo:one --two=3 -h:green\n',
      err: 'to standard error\n',
    });
  });

  it('are found by the most words before the first flag', async () => {
    write('first/ctl-foo');
    write('second/ctl-foo-bar');
    expect((await ctl('foo', 'bar', 'baz')).out).to.equal('ctl-foo-bar:baz:green\n');
    expect((await ctl('foo', '-x', 'bar')).out).to.equal('ctl-foo:-x bar:green\n');
  });

  it('have underscores for the dashes of a word', async () => {
    write('first/ctl-foo_bar-baz');
    expect((await ctl('foo-bar', 'baz')).out).to.equal('ctl-foo_bar-baz::green\n');
  });

  it('say by which signal they ended', async () => {
    write('first/ctl-die', { content: '#!/bin/sh\nkill -TERM $$\n' });
    expect((await ctl('die')).code).to.equal(143);
  });

  it('never replace a command of the client', async () => {
    write('first/ctl-version');
    expect((await ctl('version', '--client')).out).to.not.include('ctl-version');
  });

  it('stand before their flags', async () => {
    write('first/ctl-foo');
    expect(await ctl('-n', 'x', 'foo')).to.deep.equal({
      code: 1,
      out: '',
      err: 'error: flags cannot be placed before plugin name: -n\n',
    });
  });

  for (const name of ['foo', 'foo/bar', '../first/foo', 'gett']) {
    it(`are not found where PATH has none: ${name}`, async () => {
      write('first/ctl-foo', { mode: 0o644 });
      const { code, err } = await ctl(name);
      expect(code).to.equal(1);
      expect(err).to.include(`unknown command ${JSON.stringify(name)} for "ctl"`);
    });
  }

  it('are listed, with what keeps them from being called', async () => {
    const [foo, old, plain, get] = [
      write('first/ctl-foo'),
      write('second/ctl-foo'),
      write('second/ctl-plain', { mode: 0o644 }),
      write('second/ctl-get-more'),
    ];
    write('second/other');
    expect(await list()).to.deep.equal({
      code: 1,
      out: `The following compatible plugins are available:\n\n${foo}\n${old}\n${get}\n${plain}\n`,
      err: [
        `  - warning: ${old} is overshadowed by a similarly named plugin: ${foo}`,
        '  - warning: ctl-get-more overwrites existing command: "ctl get"',
        `  - warning: ${plain} identified as a ctl plugin, but it is not executable`,
        'error: 3 plugin warnings were found',
        '',
      ].join('\n'),
    });
  });

  it('are listed by name where that is asked for', async () => {
    write('first/ctl-foo');
    expect((await list('--name-only')).out).to.match(/\n\nctl-foo\n$/);
  });

  it('are missed where there are none, and folders that cannot be read are told', async () => {
    path += `:${join(folder.path, 'none')}`;
    const { code, err } = await list();
    expect(code).to.equal(1);
    expect(err).to.match(
      /^Unable to read directory ".*\/none" from your PATH: .*no such file or directory.* Skipping\.\.\.\n/,
    );
    expect(err).to.match(/error: unable to find any ctl plugins in your PATH\n$/);
  });

  describe('in the kubernetes dialect', () => {
    const env = () => ({ PATH: `${path}:/bin:/usr/bin`, ORCH_DIALECT: 'kubernetes' });

    it("are also those of the release's client, which win", async () => {
      for (const name of ['first/ctl-foo', 'second/kubectl-foo', 'first/ctl-own']) write(name);
      expect((await run(['foo', 'x'], { env: env() })).out).to.equal('kubectl-foo:x:\n');
      expect((await run(['own'], { env: env() })).out).to.equal('ctl-own::\n');
      expect((await ctl('foo')).out).to.equal('ctl-foo::green\n');
    });

    it('are listed under the names that they have there', async () => {
      const none = await run(['plugin', 'list'], { env: { ...env(), PATH: path } });
      expect(none.err).to.include('error: unable to find any kubectl plugins in your PATH\n');
      const file = write('first/kubectl-version');
      const { out, err } = await run(['plugin', 'list'], { env: { ...env(), PATH: path } });
      expect(out).to.include(`\n\n${file}\n`);
      expect(err).to.include('kubectl-version overwrites existing command: "kubectl version"\n');
    });
  });
});
