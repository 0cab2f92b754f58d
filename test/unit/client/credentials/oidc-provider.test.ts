import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { systemClock } from '../../../../src/base/index.ts';
import { ClientConfigError, loadClientConfig, resolveContext } from '../../../../src/client/config/index.ts';
import { openCredentials } from '../../../../src/client/credentials/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { failureOf } from '../../../support/failure.ts';
import { OidcProviderServer } from '../../../support/oidc-provider.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';

const context = { dialect: orchDialect, env: {}, clock: systemClock, isInteractive: false };
const refusal = { code: 401, headers: {} };

describe('openCredentials for an OpenID Connect provider', () => {
  let directory: TemporaryDirectory;
  let provider: OidcProviderServer;
  let file: string;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    provider = await OidcProviderServer.start();
    file = join(directory.path, 'config');
  });
  afterEach(async () => {
    await provider[Symbol.asyncDispose]();
    await directory.remove();
  });

  /** Writes a configuration with these settings, and something that only others understand. */
  const write = (config: Readonly<Record<string, unknown>>, name = 'oidc') =>
    writeFile(
      file,
      JSON.stringify({
        contexts: [{ name: 'c', context: { user: 'u' } }],
        'current-context': 'c',
        users: [{ name: 'u', user: { 'auth-provider': { name, config, more: 1 }, later: true } }],
      }),
    );
  const open = async () => {
    const config = await loadClientConfig({ files: [file], isExplicit: true, isFromEnvironment: false });
    const source = openCredentials(resolveContext(config), context);
    if (source === undefined) throw new Error('no source');
    return source;
  };
  const settingsInFile = async (): Promise<Record<string, string>> => {
    // The form that `write` gave it.
    const document = load(await readFile(file, 'utf8')) as {
      users: [
        { user: { later: boolean; 'auth-provider': { config: Record<string, string>; more: number } } },
      ];
    };
    const { user } = document.users[0];
    expect([user.later, user['auth-provider'].more]).to.deep.equal([true, 1]);
    return user['auth-provider'].config;
  };
  const tokenOf = async () => (await (await open()).current()).token;

  it('uses the ID token of the file while it counts, and asks nobody', async () => {
    const token = await provider.sign(60);
    await write(provider.settings(token));
    expect(await tokenOf()).to.equal(token);
    expect(provider.refreshes).to.deep.equal([]);
  });

  for (const [what, seconds] of [
    ['has expired', -1],
    ['expires within ten seconds', 9],
  ] as const) {
    it(`refreshes a token that ${what}, and writes it to the file`, async () => {
      const old = await provider.sign(seconds);
      await write(provider.settings(old, { 'extra-scopes': 'groups' }));
      const token = await tokenOf();
      expect(token).not.to.equal(old);
      expect(await settingsInFile()).to.deep.equal(
        provider.settings(token ?? '', { 'extra-scopes': 'groups' }),
      );
    });
  }

  it('asks once for requests that come together, and not again while that token counts', async () => {
    await write(provider.settings(''));
    const source = await open();
    const found = await Promise.all([source.current(), source.current(), source.current()]);
    expect(new Set([...found, await source.current()]).size).to.equal(1);
    expect(provider.refreshes.length).to.equal(1);
  });

  it('keeps the refresh token that comes with a new ID token', async () => {
    provider.manner.rotates = true;
    provider.manner.lifetimeSeconds = 5;
    await write(provider.settings(await provider.sign(-1)));
    const source = await open();
    const first = await source.current();
    expect((await settingsInFile())['refresh-token']).to.equal('refresh-2');
    const second = await source.current();
    expect(second.token).not.to.equal(first.token);
    expect(await settingsInFile()).to.deep.include({
      'refresh-token': 'refresh-3',
      'id-token': second.token,
    });
  });

  it('sees what another program wrote to the file, before it asks the provider', async () => {
    await write(provider.settings(await provider.sign(-1)));
    const source = await open();
    const other = await provider.sign(60);
    await write(provider.settings(other, { 'refresh-token': 'of-another-program' }));
    expect((await source.current()).token).to.equal(other);
    expect(provider.refreshes).to.deep.equal([]);
  });

  it('takes another token after a refusal, but does not ask for one again and again', async () => {
    await write(provider.settings(await provider.sign(60)));
    const source = await open();
    const first = await source.current();
    source.refuse(first, refusal);
    const second = await source.current();
    expect(second.token).not.to.equal(first.token);
    source.refuse(first, refusal);
    expect(await source.current()).to.equal(second);
    source.refuse(second, refusal);
    expect((await source.current()).token).to.equal(second.token);
    expect(provider.refreshes.length).to.equal(1);
  });

  it('authenticates as the provider says', async () => {
    for (const methods of [['client_secret_basic', 'x'], ['client_secret_post'], undefined]) {
      provider.manner.methods = methods;
      await write(provider.settings(''));
      expect(await tokenOf()).to.be.a('string');
    }
    const [basic, post] = provider.refreshes;
    expect(basic?.body).to.equal('grant_type=refresh_token&refresh_token=refresh-1');
    expect(post?.headers.authorization).to.equal(undefined);
  });

  const failures: readonly [
    what: string,
    settings: Readonly<Record<string, string>>,
    answer: { readonly status: number; readonly body: string } | undefined,
    message: RegExp,
  ][] = [
    ['no refresh token', { 'refresh-token': '' }, undefined, /^No valid id-token, and cannot refresh/],
    ['a token that is none', { 'id-token': 'x' }, undefined, /^ID Token is not a valid JWT$/],
    [
      'a refresh token that counts no more',
      { 'refresh-token': 'old' },
      undefined,
      /^failed to refresh token: 400 Bad Request: invalid_grant: it was used$/,
    ],
    ['a wrong secret', { 'client-secret': 'x' }, undefined, /401 Unauthorized: invalid_client$/],
    ['an answer without a token', {}, { status: 200, body: '{}' }, /did not contain an id_token/],
    ['a page for people', {}, { status: 200, body: '<html>' }, /^failed to refresh token: 200 OK$/],
    ['too long an answer', {}, { status: 200, body: 'x'.repeat(1024 * 1024 + 1) }, /more than 1048576 bytes/],
    ['an authority that is not its own', { 'idp-certificate-authority-data': '' }, undefined, /certificate/],
  ];
  for (const [what, settings, answer, message] of failures) {
    it(`says what is wrong, and keeps the file: ${what}`, async () => {
      provider.manner.refusal = answer;
      await write(provider.settings('', settings));
      const before = await readFile(file, 'utf8');
      const error = await failureOf((await open()).current());
      expect(error).to.have.property('name', 'TransportError');
      expect(error.message).to.match(message);
      expect(error.message).not.to.contain('s3cret');
      expect(await readFile(file, 'utf8')).to.equal(before);
    });
  }

  it('refuses settings that name no provider or no client, and other providers', async () => {
    const cases: readonly [Readonly<Record<string, unknown>>, string, string][] = [
      [{ 'client-id': 'x' }, 'oidc', 'Must provide idp-issuer-url'],
      [{ 'idp-issuer-url': 'https://x' }, 'oidc', 'Must provide client-id'],
      [{ 'idp-issuer-url': 'x', 'client-id': 'x' }, 'oidc', 'idp-issuer-url "x" is no HTTP URL'],
      [{ 'client-id': 1 }, 'oidc', 'user "u": auth-provider.config must be a map of strings'],
      [{}, 'gcp', 'no Auth Provider found for name "gcp"'],
      [{}, 'azure', 'no Auth Provider found for name "azure"'],
    ];
    for (const [settings, name, message] of cases) {
      await write(settings, name);
      const error = await failureOf(open());
      expect(error).to.be.instanceOf(ClientConfigError);
      expect(error.message).to.equal(message);
    }
  });
});
