import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const bin = join(import.meta.dirname, '../../../bin');

/** A plugin for oclif: a command, one below a group of orch, one that orch has itself, and a hook for unknown words. */
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'orch-plugin-hello',
    version: '1.2.3',
    type: 'module',
    oclif: { commands: './commands', topicSeparator: ' ', hooks: { command_not_found: './hook.js' } },
  }),
  'commands/hello.js': `export default class Hello {
    static id = 'hello';
    static summary = 'Say hello';
    static strict = false;
    static flags = { loud: { type: 'boolean', name: 'loud', description: 'Shout.' } };
    static async run(argv) {
      console.log('hello', ...argv);
      if (argv[0] === 'fail') process.exitCode = 5;
      if (argv[0] === 'throw') throw new Error('as asked');
    }
  }`,
  'commands/storage/extra.js': `export default class Extra {
    static id = 'storage:extra';
    static summary = 'More';
    static strict = false;
    static async run(argv) { console.log('extra', ...argv); }
  }`,
  'commands/version.js': `export default class Version {
    static id = 'version';
    static async run() { console.log('not this one'); }
  }`,
  'hook.js': `export default async function ({ id }) {
    if (id !== 'magic') throw new Error('unknown to the plugin as well');
    console.log('magic');
  }`,
};

describe('plugins of orch', () => {
  let home: string;
  let folder: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'orch-plugins-'));
    folder = join(home, 'plugin');
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const orch = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home };
    const { status, stdout, stderr } = spawnSync(join(bin, 'orch'), args, { encoding: 'utf8', env });
    return { status, stdout, stderr };
  };

  it('are linked, listed and let go', () => {
    expect(orch('plugins', 'list').stdout).to.equal('No plugins are linked.\n');
    expect(orch('plugins', 'link', folder)).to.deep.equal({
      status: 0,
      stdout: 'linked orch-plugin-hello 1.2.3: hello, storage extra, version\n',
      stderr: 'warning: version is a command of orch, which the one of orch-plugin-hello does not replace\n',
    });
    expect(orch('plugins', 'list').stdout).to.match(
      new RegExp(`^NAME +VERSION +COMMANDS +FOLDER\norch-plugin-hello +1\\.2\\.3 +hello, .*  ${folder}\n$`),
    );
    expect(orch('plugins', 'unlink', 'orch-plugin-hello').stdout).to.equal('unlinked orch-plugin-hello\n');
    expect(orch('plugins', 'list').stdout).to.equal('No plugins are linked.\n');
  });

  it('add commands, also below groups, with arguments, exit codes and errors of their own', () => {
    orch('plugins', 'link', folder);
    expect(orch('hello', 'a', '--loud')).to.deep.equal({ status: 0, stdout: 'hello a --loud\n', stderr: '' });
    expect(orch('hello', 'fail').status).to.equal(5);
    const failed = orch('hello', 'throw');
    expect([failed.status, failed.stderr]).to.deep.equal([1, 'orch: as asked\n']);
    expect(orch('storage', 'extra', 'x').stdout).to.equal('extra x\n');
    expect(orch('help', 'hello').stdout).to.match(/^Say hello\n[\s\S]*--loud/);
  });

  it('never replace a command of orch', () => {
    orch('plugins', 'link', folder);
    expect(orch('version').stdout).to.match(/^orch \d/);
  });

  it('have a hook for words that nobody knows', () => {
    orch('plugins', 'link', folder);
    expect(orch('magic')).to.deep.equal({ status: 0, stdout: 'magic\n', stderr: '' });
    expect(orch('nonsense').stderr).to.equal('orch: unknown to the plugin as well\n');
  });

  it('are refused when they are none', () => {
    writeFileSync(join(home, 'package.json'), '{"name":"other"}');
    const { status, stderr } = orch('plugins', 'link', home);
    expect(status).to.equal(1);
    expect(stderr).to.match(/^orch plugins link: .*package\.json: not a plugin for oclif/);
    expect(orch('plugins', 'unlink', 'none').stderr).to.equal(
      'orch plugins unlink: no plugin "none" is linked\n',
    );
  });

  it('leave help and suggestions to the tables where there are none', () => {
    expect(orch('help', 'storage', 'check').stdout).to.equal(orch('storage', 'check', '--help').stdout);
    expect(orch('help', 'ctl', 'config', 'view').stdout).to.include('ctl config view [flags]');
    expect(orch('hello')).to.deep.include({ status: 2, stdout: '' });
    expect(orch('srve').stderr).to.equal(
      'orch: unknown command srve; did you mean serve?\nSee orch --help\n',
    );
    expect(orch('storage', 'chek').stderr).to.equal(
      'orch storage: unknown command chek; did you mean check?\nSee orch storage --help\n',
    );
  });
});
