import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openCallee } from '../../../src/app/open-callee.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const flag = 'some-config-file';

describe('openCallee', () => {
  let directory: TemporaryDirectory;
  let clock: ManualClock;
  const logger = createRecordingLogger();
  before(async () => {
    directory = await makeTemporaryDirectory();
    await writeFile(join(directory.path, 'ca.pem'), 'CA');
  });
  after(() => directory.remove());
  beforeEach(() => {
    clock = new ManualClock();
    logger.lines.length = 0;
  });

  const write = async (cluster: object, user: object): Promise<string> => {
    const path = join(directory.path, 'config');
    const config = {
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [{ name: 'c', cluster: { server: 'https://hook:8443/x', ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  };
  const open = (path: string) => openCallee({ flag, path, clock, logger });
  const failureOf = async (path: string): Promise<string> =>
    open(path).then(
      () => expect.fail('opened'),
      (error: Error) => error.message,
    );

  it('refuses users whose credentials it cannot obtain', async () => {
    const path = await write({}, { 'auth-provider': { name: 'oidc' } });
    expect(await failureOf(path)).to.equal(
      `--${flag}: ${path}: user "u": auth-provider is not supported here`,
    );
  });

  it('says where the webhook is and who calls, with paths as seen from the file', async () => {
    await writeFile(join(directory.path, 'me.crt'), 'CERT');
    await writeFile(join(directory.path, 'me.key'), 'KEY');
    const path = await write(
      { 'certificate-authority': 'ca.pem', 'tls-server-name': 'other' },
      { 'client-certificate': 'me.crt', 'client-key': 'me.key', username: 'a', password: 'b' },
    );
    expect((await open(path))()).to.deep.equal({
      url: 'https://hook:8443/x',
      caBundle: Buffer.from('CA').toString('base64'),
      more: {
        serverName: 'other',
        isUnverified: false,
        clientPair: { certificatePem: 'CERT', privateKeyPem: 'KEY' },
        authorization: 'Basic YTpi',
      },
    });
  });

  it('reads what expires again after a minute, and keeps it when it is gone', async () => {
    const token = join(directory.path, 'token');
    await writeFile(token, 'one');
    const callee = await open(await write({}, { tokenFile: 'token' }));
    const authorization = () => callee().more?.authorization;
    await writeFile(token, 'two');
    clock.advance(59_000);
    expect(authorization()).to.equal('Bearer one');
    clock.advance(1000);
    expect(authorization()).to.equal('Bearer two');
    await rm(token);
    clock.advance(60_000);
    expect(authorization()).to.equal('Bearer two');
    expect(logger.lines.map(({ message }) => message)).to.deep.equal([
      'files of a webhook cannot be read again',
    ]);
  });

  const refused: readonly (readonly [string, object, object, RegExp])[] = [
    ['a key without certificate', {}, { 'client-key-data': 'QQ==' }, /needs its key/],
    ['another user', {}, { as: 'bob' }, /as another user/],
    ['a proxy', { 'proxy-url': 'http://p' }, {}, /proxy-url is not supported/],
    ['no address', { server: 'ftp://x' }, {}, /is no HTTP URL/],
    ['an authority that is not there', { 'certificate-authority': 'none.pem' }, {}, /none\.pem/],
  ];
  for (const [what, cluster, user, text] of refused) {
    it(`refuses ${what} and names the flag`, async () => {
      const message = await failureOf(await write(cluster, user));
      expect(message).to.match(/^--some-config-file: .*config: /);
      expect(message).to.match(text);
    });
  }

  it('refuses a file that is not there, and one that says nothing', async () => {
    expect(await failureOf('/nowhere')).to.match(/--some-config-file: \/nowhere: stat .*no such file/);
    const empty = join(directory.path, 'empty');
    await writeFile(empty, '');
    expect(await failureOf(empty)).to.match(/no configuration has been provided/);
  });
});
