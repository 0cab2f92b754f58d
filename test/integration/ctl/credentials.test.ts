import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

const version = 'client.authentication.orch.io/v1beta1';

describe('ctl with credentials that a program gives', () => {
  let server: CtlServer;
  let tokenFile: string;

  before(async () => {
    server = await startCtlServer(['--controllers=none', '--anonymous-auth=false']);
    tokenFile = join(server.folder, 'answer.json');
  });
  after(() => server.stop());

  /** A program that keeps what it is told, and answers. */
  function program(name: string, answer: unknown, end = 'exit 0'): string {
    const path = join(server.folder, name);
    const told = join(server.folder, `${name}.told`);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    writeFileSync(path, `#!/bin/sh\nprintf '%s %s %s' "$ORCH_EXEC_INFO" "$1" "$WHO" > '${told}'\n`);
    writeFileSync(tokenFile, text);
    writeFileSync(`${path}.answer`, text);
    writeFileSync(path, `${readFileSync(path, 'utf8')}cat '${path}.answer'\n${end}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  const credential = (status: unknown, apiVersion = version) => ({
    kind: 'ExecCredential',
    apiVersion,
    status,
  });
  const ctl = (...argv: string[]) => server.ctl(argv);
  /** Has a user with the program, who asks. */
  async function ask(user: string, path: string, ...flags: string[]) {
    const command = [`--exec-command=${path}`, `--exec-api-version=${version}`];
    const { code, err } = await ctl('config', 'set-credentials', user, ...command, ...flags);
    expect(err).to.equal('');
    expect(code).to.equal(0);
    return ctl('get', 'namespaces', '-o', 'name', `--user=${user}`);
  }

  it('is let in by a certificate, and the program is told its arguments and variables', async () => {
    const { adminCertificatePem: clientCertificateData, adminKeyPem: clientKeyData } = server.server;
    const path = program('certify', credential({ clientCertificateData, clientKeyData }));
    const { code, out, err } = await ask('a', path, '--exec-arg=one', '--exec-env=WHO=me');
    expect(err).to.equal('');
    expect(code).to.equal(0);
    expect(out).to.match(/^namespace\/default\n/);
    const [info = '', argument, variable] = readFileSync(`${path}.told`, 'utf8').split(' ');
    expect([argument, variable]).to.deep.equal(['one', 'me']);
    expect(JSON.parse(info)).to.deep.equal({ kind: 'ExecCredential', apiVersion: version, spec: {} });
  });

  it('presents a token that the program gives', async () => {
    const path = program('token', credential({ token: 'nobody-knows-it' }));
    const { code, err } = await ask('b', path);
    expect(code).to.equal(1);
    expect(err).to.equal('error: You must be logged in to the server (Unauthorized)\n');
  });

  it('does not run the program where a token is given', async () => {
    const path = program('unused', credential({}));
    await ask('c', path);
    const { err } = await ctl('get', 'namespaces', '--user=c', '--token=x');
    expect(err).to.equal('error: You must be logged in to the server (Unauthorized)\n');
  });

  const getting = 'Unable to connect to the server: getting credentials: ';
  const answers: readonly [string, unknown, string][] = [
    ['says nothing', credential({}), "exec plugin didn't return a token or cert/key pair"],
    [
      'has no status',
      { kind: 'ExecCredential', apiVersion: version },
      "exec plugin didn't return a status field",
    ],
    [
      'gives half a pair',
      credential({ clientKeyData: 'x' }),
      'exec plugin returned only certificate or key, not both',
    ],
    [
      'answers in another form',
      credential({ token: 't' }, 'client.authentication.orch.io/v1alpha1'),
      `exec plugin is configured to use API version ${version}, plugin returned version client.authentication.orch.io/v1alpha1`,
    ],
    [
      'writes no JSON',
      'hello',
      "decoding stdout: couldn't get version/kind; json parse error: it is no JSON",
    ],
    ['writes too much', 'x'.repeat(1024 * 1024 + 1), 'exec: executable PATH wrote more than 1048576 bytes'],
  ];
  for (const [what, answer, message] of answers) {
    it(`says so when the program ${what}`, async () => {
      const path = program('odd', answer);
      const { code, err } = await ask('d', path);
      expect([code, err]).to.deep.equal([1, `${getting}${message.replace('PATH', path)}\n`]);
    });
  }

  it('says so when the program fails, or is not there', async () => {
    const failing = program('failing', credential({ token: 't' }), 'exit 3');
    expect((await ask('e', failing)).err).to.equal(
      `${getting}exec: executable ${failing} failed with exit code 3\n`,
    );
    expect((await ask('f', 'no-such-program-here')).err).to.match(
      /^Unable to connect to the server: getting credentials: exec: executable no-such-program-here not found\n\nIt looks like/,
    );
  });

  it('refuses users whose program makes no sense', async () => {
    const set = (...flags: string[]) => ctl('config', 'set-credentials', ...flags);
    const failure = async (user: string) => (await ctl('get', 'pods', `--user=${user}`)).err;
    await set('g', '--exec-command=x');
    expect(await failure('g')).to.equal(
      'error: apiVersion must be specified for g to use exec authentication plugin\n',
    );
    await set('h', '--exec-command=x', '--exec-api-version=client.authentication.orch.io/v2');
    expect(await failure('h')).to.equal(
      'error: exec plugin: invalid apiVersion "client.authentication.orch.io/v2"\n',
    );
    await set('h', '--auth-provider=oidc');
    expect(await failure('h')).to.equal(
      'error: authProvider cannot be provided in combination with an exec plugin for h\n',
    );
    await set('j', '--auth-provider=gcp');
    expect(await failure('j')).to.equal('error: no Auth Provider found for name "gcp"\n');
    expect((await set('i', '--exec-arg=x')).err).to.match(/--exec-command is needed/);
    expect((await set('a', '--exec-env=X')).err).to.match(/"X" is neither NAME=VALUE nor NAME-/);
  });

  it('set-credentials changes what it is told of, and leaves the rest', async () => {
    const set = (...flags: string[]) => ctl('config', 'set-credentials', 'z', ...flags);
    await set(
      '--exec-command=x',
      `--exec-api-version=${version}`,
      '--exec-env=A=B',
      '--exec-env=C=D',
      '--exec-arg=q',
    );
    await set('--exec-env=A-', '--exec-env=E=F');
    const shown = async (path: string) =>
      (await ctl('config', 'view', '-o', `jsonpath={.users[?(@.name=="z")].user.${path}}`)).out;
    expect(await shown('exec.env[*].name')).to.equal('C E');
    expect(await shown('exec.args[*]')).to.equal('q');
    await set('--auth-provider=oidc', '--auth-provider-arg=client-id=x,extra=y');
    await set('--auth-provider-arg=client-id-');
    expect(await shown('auth-provider.config.extra')).to.equal('y');
    expect(await shown('auth-provider.config.client-id')).to.equal('');
    expect(await shown('exec.command')).to.equal('x');
  });
});
