import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { globalOptions } from '../../../src/ctl/options/global.ts';
import { verbs } from '../../../src/ctl/verbs.ts';
import { run } from './support/run.ts';

const ctl = async (...argv: string[]) => {
  const { code, out, err } = await run(argv);
  return { code, out, err };
};

describe('help of ctl', () => {
  it('shows a command its own flags only, and names where the others are', async () => {
    const { out } = await ctl('cordon', '--help');
    expect(out).to.contain('--selector=TEXT').and.to.contain('Use "ctl options" for the flags');
    expect(out).not.to.contain('--insecure-skip-tls-verify');
  });

  it('shows the flags that all commands have once', async () => {
    const { code, out } = await ctl('options');
    expect(code).to.equal(0);
    for (const { name } of globalOptions) expect(out).to.contain(`--${name}`);
    expect((await ctl('options', 'x')).code).to.equal(1);
  });

  it('lists commands that have several names once', async () => {
    const { out } = await ctl('create', '--help');
    expect(out.match(/^ {2}(configmap|cm) /gm)).to.deep.equal(['  configmap ']);
  });

  const groups = ['auth', 'certificate', 'config', 'plugin', 'rollout', 'set', 'top'];
  for (const group of groups) {
    it(`answers a plain "${group}", which alone does nothing, as an error`, async () => {
      const { code, out, err } = await ctl(group);
      expect([code, out]).to.deep.equal([1, '']);
      expect(err).to.equal((await ctl(group, '--help')).out);
      expect((await ctl(group, 'bogus')).err).to.equal(
        `error: unknown command "bogus"\nSee 'ctl ${group} -h' for help and examples\n`,
      );
      const told = await ctl(group, '--errors=json');
      expect([told.code, JSON.parse(told.err).message]).to.deep.equal([1, 'a command is required']);
    });
  }

  it('lists every command', async () => {
    const { out } = await ctl('--help');
    for (const name of Object.keys(verbs)) expect(out).to.match(new RegExp(`^  ${name} `, 'm'));
  });
});

describe('ctl completion', () => {
  it('prints a script that bash takes', async () => {
    const { code, out } = await ctl('completion', 'bash');
    expect(code).to.equal(0);
    execFileSync('bash', ['-n'], { input: out });
    expect(out).to.contain('__complete');
  });

  it('names what is wrong', async () => {
    expect((await ctl('completion')).err).to.contain('error: Shell not specified.');
    expect((await ctl('completion', 'tcsh')).err).to.contain('error: Unsupported shell type "tcsh".');
    expect((await ctl('completion', 'bash', 'zsh')).err).to.contain('Too many arguments.');
  });
});
