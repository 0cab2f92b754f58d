import { expect } from 'chai';
import { readExec } from '../../../../src/client/config/exec-entry.ts';
import { ClientConfigError } from '../../../../src/client/config/model.ts';

const apiVersion = 'client.authentication.orch.io/v1beta1';
const read = (exec: Readonly<Record<string, unknown>>) =>
  readExec({ exec: { command: 'get-token', apiVersion, ...exec } }, 'alice');

describe('readExec', () => {
  it('reads a program with nothing but its name', () => {
    expect(read({})).to.deep.equal({
      command: 'get-token',
      apiVersion,
      args: [],
      env: {},
      installHint: undefined,
      provideClusterInfo: false,
    });
  });

  it('reads all that there can be', () => {
    expect(
      read({
        command: '/usr/bin/get-token',
        args: ['--region', '', 'é 日本'],
        env: [
          { name: 'A', value: '1' },
          { name: 'B C', value: '' },
        ],
        installHint: 'see\nthere',
        provideClusterInfo: true,
      }),
    ).to.deep.equal({
      command: '/usr/bin/get-token',
      apiVersion,
      args: ['--region', '', 'é 日本'],
      env: { A: '1', 'B C': '' },
      installHint: 'see\nthere',
      provideClusterInfo: true,
    });
  });

  it('takes null for what is left out', () => {
    const { args, env, installHint, provideClusterInfo } = read({
      args: null,
      env: null,
      installHint: null,
      provideClusterInfo: null,
    });
    expect({ args, env, installHint, provideClusterInfo }).to.deep.equal({
      args: [],
      env: {},
      installHint: undefined,
      provideClusterInfo: false,
    });
    expect(read({ env: [{ name: 'A', value: null }, { name: 'B' }] }).env).to.deep.equal({ A: '', B: '' });
  });

  it('lets the last of two variables of one name count, as programs see it', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'a', value: '2' },
      { name: 'A', value: '3' },
    ];
    expect(read({ env }).env).to.deep.equal({ A: '3', a: '2' });
  });

  it('takes any name of a variable for no more than a name', () => {
    const { env } = read({
      env: [
        { name: '__proto__', value: 'x' },
        { name: 'constructor', value: 'y' },
      ],
    });
    expect(Object.entries(env)).to.deep.equal([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  const plugin = 'for alice to use exec authentication plugin';
  const wrong: readonly (readonly [title: string, exec: Readonly<Record<string, unknown>>, text: string])[] =
    [
      ['no command', { command: undefined }, `command must be specified ${plugin}`],
      ['an empty command', { command: '' }, `command must be specified ${plugin}`],
      ['a command that is no text', { command: ['a'] }, `command must be specified ${plugin}`],
      ['no version', { apiVersion: undefined }, `apiVersion must be specified ${plugin}`],
      ['an empty version', { apiVersion: '' }, `apiVersion must be specified ${plugin}`],
      ['a version that is no text', { apiVersion: 1 }, `apiVersion must be specified ${plugin}`],
      ['neither', { command: '', apiVersion: '' }, `command must be specified ${plugin}`],
      ['arguments that are no list', { args: 'a b' }, `args must be a list of strings ${plugin}`],
      ['arguments that are no texts', { args: ['a', 1] }, `args must be a list of strings ${plugin}`],
      ['variables that are no list', { env: { A: '1' } }, `env must be a list ${plugin}`],
      [
        'a variable without name',
        { env: [{ name: 'A' }, { value: '1' }] },
        `env variable name must be specified ${plugin}`,
      ],
      [
        'a variable of an empty name',
        { env: [{ name: '', value: '1' }] },
        `env variable name must be specified ${plugin}`,
      ],
      ['what is no variable', { env: ['A=1'] }, `env variable name must be specified ${plugin}`],
      ['null for a variable', { env: [null] }, `env variable name must be specified ${plugin}`],
    ];
  for (const [title, exec, text] of wrong) {
    it(`refuses ${title}`, () => {
      expect(() => read(exec))
        .to.throw(ClientConfigError)
        .with.property('message', text);
    });
  }

  it('refuses another way beside it, whatever else is wrong', () => {
    expect(() => readExec({ exec: {}, authProvider: { name: 'oidc' } }, 'bob')).to.throw(
      ClientConfigError,
      'authProvider cannot be provided in combination with an exec plugin for bob',
    );
  });
});
