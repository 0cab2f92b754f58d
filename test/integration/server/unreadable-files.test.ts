import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { reportFailure } from '../../../src/app/report-error.ts';
import { serveOptions } from '../../../src/config/serve/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer } from '../../support/test-server.ts';

const etcd = ['--etcd-servers=https://127.0.0.1:1', '--ephemeral=false', '--data-dir=/nowhere'];

/** Files that flags name, each with the flags that it takes beside it. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'tls-cert-file': ['--tls-private-key-file=/dev/null'],
  'tls-private-key-file': ['--tls-cert-file=/dev/null'],
  'nodeagent-client-certificate': ['--nodeagent-client-key=/dev/null'],
  'nodeagent-client-key': ['--nodeagent-client-certificate=/dev/null'],
  'proxy-client-cert-file': ['--proxy-client-key-file=/dev/null'],
  'proxy-client-key-file': ['--proxy-client-cert-file=/dev/null'],
  'oidc-ca-file': ['--oidc-issuer-url=https://127.0.0.1:1', '--oidc-client-id=c'],
  'authorization-policy-file': ['--authorization-mode=ABAC'],
  'authorization-orchconfig': ['--authorization-mode=Webhook'],
  'authorization-webhook-config-file': ['--authorization-mode=Webhook'],
  'audit-policy-file': ['--audit-log-path=-'],
  'etcd-cafile': [...etcd],
  'etcd-certfile': [...etcd, '--etcd-keyfile=/dev/null'],
  'etcd-keyfile': [...etcd, '--etcd-certfile=/dev/null'],
};
/** A certificate and its key are given together. */
const companionsOf = (name: string): readonly string[] => {
  const [, signer, half] = /^(cluster-signing-.*?-?)(cert|key)-file$/.exec(name) ?? [];
  if (signer === undefined) return companions[name] ?? [];
  return [`--${signer}${half === 'cert' ? 'key' : 'cert'}-file=/dev/null`];
};
/** Read before a server starts, or made where they are missing. */
const others = new Set(['config', 'audit-log-path', 'log-file']);

const files = serveOptions.filter(
  ({ name, valueName }: { name: string; valueName?: string }) => valueName === 'FILE' && !others.has(name),
);

describe('a file of orch serve that cannot be read', () => {
  let directory: TemporaryDirectory;
  let keys: string;
  before(async () => {
    directory = await makeTemporaryDirectory();
    keys = join(directory.path, 'keys');
    // Made once: a server that makes its keys starts slowly.
    await (await startTestServer({ flags: [`--cert-dir=${keys}`] })).stop();
    await writeFile(join(directory.path, 'file'), '');
    await mkdir(join(directory.path, 'folder'));
    await symlink('loop', join(directory.path, 'loop'));
  });
  after(() => directory.remove());

  const failureOf = async (flags: readonly string[]): Promise<string> => {
    const isGiven = flags.some((flag) => flag.startsWith('--cert-dir='));
    const all = isGiven ? flags : [`--cert-dir=${keys}`, ...flags];
    const failure = await startTestServer({ flags: all }).then(
      async (server) => {
        await server.stop();
        return expect.fail('the server started');
      },
      (error: unknown) => error,
    );
    return reportFailure('orch serve', failure).text;
  };
  const expectWords = (text: string, path: string, reason: string): void => {
    expect(text).to.include(path);
    expect(text).to.include(reason);
    // The name of a temporary folder may be all capitals, too.
    expect(text.replaceAll(directory.path, ''), 'words of the runtime').to.not.match(
      /\bE[A-Z]{3,}\b|illegal operation|, (?:open|read|mkdir|scandir)\b/,
    );
  };

  const reasons: readonly (readonly [path: string, reason: string])[] = [
    ['missing', 'no such file or directory'],
    ['folder', 'is a directory'],
    ['file/below', 'not a directory'],
    ['loop', 'too many levels of symbolic links'],
    ['x'.repeat(300), 'file name too long'],
  ];
  for (const { name } of files) {
    it(`is named, and so is why: --${name}`, async () => {
      for (const [file, reason] of name === 'token-auth-file' ? reasons : reasons.slice(0, 2)) {
        const path = join(directory.path, file);
        expectWords(await failureOf([`--${name}=${path}`, ...companionsOf(name)]), path, reason);
      }
    });
  }

  it('is that of every flag of which one must be said beside it', () => {
    const tried: readonly string[] = files.map(({ name }) => name);
    expect(tried).to.include.members(Object.keys(companions));
  });

  const made: readonly (readonly [flag: string, path: string, reason: string])[] = [
    ['--data-dir', 'file/below', 'not a directory'],
    ['--cert-dir', 'file/below', 'not a directory'],
    ['--cert-dir', 'loop/below', 'too many levels of symbolic links'],
    ['--storage', 'file/below/orch.db', 'not a directory'],
    ['--audit-log-path', 'missing/log', 'no such file or directory'],
    ['--audit-log-path', 'folder', 'is a directory'],
  ];
  for (const [flag, file, reason] of made) {
    it(`is told of where it is to be made: ${flag}=${file}`, async () => {
      const path = join(directory.path, file);
      const value = flag === '--storage' ? `sqlite:${path}` : path;
      expectWords(
        await failureOf([`${flag}=${value}`, ...(flag === '--storage' ? ['--data-dir=/nowhere'] : [])]),
        directory.path,
        reason,
      );
    });
  }

  it('is told of where the system lets nobody make one', async () => {
    expectWords(
      await failureOf(['--cert-dir=/proc/orch-pki']),
      '/proc/orch-pki',
      'no such file or directory',
    );
  });
});
