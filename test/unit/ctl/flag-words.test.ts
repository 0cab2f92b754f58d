import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from './support/run.ts';

/** A server that nobody must ask. */
const nowhere = '--server=http://127.0.0.1:1';

/** A command line, and what is wrong with it in the words of either dialect. */
type Case = readonly [argv: string, release: string, ours: string];

const cases: readonly Case[] = [
  [
    'scale --replicas=x deploy/a',
    'invalid argument "x" for "--replicas" flag: strconv.ParseInt: parsing "x": invalid syntax',
    '--replicas=x: must be a whole number',
  ],
  [
    'get pods --chunk-size=99999999999999999999',
    'invalid argument "99999999999999999999" for "--chunk-size" flag: strconv.ParseInt: parsing "99999999999999999999": value out of range',
    '--chunk-size=99999999999999999999: must be a whole number',
  ],
  [
    'get pods -w=maybe',
    'invalid argument "maybe" for "-w, --watch" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    '-w=maybe: must be true or false',
  ],
  [
    'delete pod a --timeout=5',
    'invalid argument "5" for "--timeout" flag: time: missing unit in duration "5"',
    '--timeout=5: must be a duration with its unit, such as 30s, 5m or 1h',
  ],
  [
    'logs a --since=x',
    'invalid argument "x" for "--since" flag: time: invalid duration "x"',
    '--since=x: must be a duration with its unit, such as 30s, 5m or 1h',
  ],
  ['apply view-last-applied --bogus', 'unknown flag: --bogus', 'unknown flag: --bogus'],
];

describe('a value that is none of its flag', () => {
  const say = (argv: string, env: Record<string, string | undefined>) =>
    run([nowhere, ...argv.split(' ')], { env: { ORCHCONFIG: '/dev/null', ...env } });
  const help = (argv: string): string =>
    `See 'ctl ${argv.replace(/ (?:pods?|-|deploy|a ).*/, '')} --help' for usage.\n`;

  for (const [argv, release, ours] of cases) {
    it(`is refused in the words of the server's users: ${argv}`, async () => {
      const kubernetes = await say(argv, { ORCH_DIALECT: 'kubernetes' });
      expect([kubernetes.err, kubernetes.code]).to.deep.equal([`Error: ${release}\n${help(argv)}`, 1]);
      const own = await say(argv, { ORCH_DIALECT: 'orch' });
      expect([own.err, own.code]).to.deep.equal([`Error: ${ours}\n${help(argv)}`, 1]);
    });
  }

  it('is told in the words of the configuration that names the server, when no dialect is given', async () => {
    const { err } = await run(['get', 'pods', '--chunk-size=x', '-w=maybe'], {
      env: { ORCH_DIALECT: undefined, KUBECONFIG: '/dev/null' },
    });
    expect(err).to.match(/^Error: invalid argument "x" for "--chunk-size" flag: strconv\.ParseInt/);
  });

  it('tells of the value of --dry-run in the words of release 1.20, and sends nothing', async () => {
    for (const argv of ['delete pod a --dry-run=bogus', 'create configmap a --dry-run=bogus']) {
      expect((await say(argv, {})).err).to.equal(
        'error: Invalid dry-run value (bogus). Must be "none", "server", or "client".\n',
      );
    }
  });
});

describe('a rehearsal of the client', () => {
  const rehearse = (argv: string) =>
    run([...argv.split(' '), '--dry-run=client'], {
      env: { ORCHCONFIG: '/dev/null', ORCH_DIALECT: 'kubernetes' },
    });

  for (const [argv, name] of [
    ['create namespace a', 'namespace/a'],
    ['create configmap a', 'configmap/a'],
    ['create cronjob a --image=b --schedule=*', 'cronjob.batch/a'],
    [
      'create clusterrolebinding a --clusterrole=b --user=c',
      'clusterrolebinding.rbac.authorization.k8s.io/a',
    ],
    ['run a --image=b', 'pod/a'],
  ] as const) {
    it(`needs no server: ${argv}`, async () => {
      expect(await rehearse(argv)).to.deep.equal({ out: `${name} created (dry run)\n`, err: '', code: 0 });
    });
  }

  it('has the namespace that was asked for, except where the kind has none', async () => {
    const { out } = await rehearse('create serviceaccount a -n shop -o jsonpath={.metadata.namespace}');
    expect(out).to.equal('shop');
    expect((await rehearse('create priorityclass a --value=1 -n shop -o yaml')).out).not.to.include('shop');
  });

  it('asks for no credentials', async () => {
    const config = JSON.stringify({
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [
        {
          name: 'a',
          user: { exec: { apiVersion: 'client.authentication.k8s.io/v1beta1', command: '/none' } },
        },
      ],
      'current-context': 'a',
    });
    await using folder = await makeTemporaryDirectory();
    const path = join(folder.path, 'config');
    await writeFile(path, config);
    const { code, err } = await run(['create', 'namespace', 'a', '--dry-run=client'], {
      env: { KUBECONFIG: path, ORCH_DIALECT: 'kubernetes' },
    });
    expect([code, err]).to.deep.equal([0, '']);
  });

  it('asks the server which kind it is when overrides may have changed it', async () => {
    const argv = ['run', 'a', '--image=b', '--dry-run=client', '--overrides={"kind":"Node"}', nowhere];
    const { code, err } = await run(argv, { env: { ORCHCONFIG: '/dev/null', ORCH_DIALECT: 'kubernetes' } });
    expect(code).to.equal(1);
    expect(err).to.include('127.0.0.1:1 was refused');
  });
});
