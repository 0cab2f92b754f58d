import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Clock, systemClock } from '../../../src/base/index.ts';
import table from '../../../src/ctl/complete/values.json' with { type: 'json' };
import { loadCtlProgram } from '../../../src/ctl/index.ts';
import { FakeApi, pod } from './support/fake-api.ts';
import { run } from './support/run.ts';

const definitions = {
  'core.Pod': {
    type: 'object',
    properties: { kind: { type: 'string' }, spec: { $ref: '#/definitions/core.PodSpec' } },
    'x-orch-group-version-kind': [{ group: '', kind: 'Pod', version: 'v1' }],
  },
  'core.PodSpec': {
    type: 'object',
    properties: {
      containers: { type: 'array', items: { $ref: '#/definitions/core.Container' } },
      hostname: { type: 'string' },
    },
  },
  'core.Container': { type: 'object', properties: { image: { type: 'string' }, name: { type: 'string' } } },
};

const list = (...names: readonly string[]) => ({
  body: { kind: 'List', items: names.map((name) => ({ metadata: { name } })) },
});
const spec = {
  containers: [{ name: 'web' }, { name: 'proxy' }],
  initContainers: [{ name: 'prepare' }],
};

/** What is offered in time on a quiet machine takes longer on a busy one. */
const patientClock: Clock = {
  ...systemClock,
  setTimer: (delayMs, callback) => systemClock.setTimer(100 * delayMs, callback),
};

describe('ctl __complete', () => {
  let folder: string;
  let api: FakeApi;
  const config = () => join(folder, 'config');
  const marker = () => join(folder, 'logged-in');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ctl-complete-'));
    api = await FakeApi.start({
      'GET /openapi/v2': { body: { swagger: '2.0', definitions } },
      'GET /api/v1/namespaces': list('default', 'team-a'),
      'GET /api/v1/namespaces/default/pods': list('web-1', 'web-2', 'db-1', '$(reboot)', 'x;y', '-A', 'a b'),
      'GET /api/v1/namespaces/team-a/pods': list('other-1'),
      'GET /api/v1/namespaces/default/services': list('web'),
      'GET /apis/apps/v1/namespaces/default/deployments': list('web', 'api'),
      'GET /api/v1/namespaces/default/pods/web-1': { body: { ...pod('web-1'), spec } },
      'GET /apis/apps/v1/namespaces/default/deployments/web': { body: { spec: { template: { spec } } } },
    });
    const login = { apiVersion: 'client.authentication.orch.io/v1beta1', command: 'touch', args: [marker()] };
    const content = {
      contexts: [
        { name: 'prod', context: { cluster: 'prod-eu', user: 'admin' } },
        { name: 'admin@test', context: { cluster: 'test', user: 'admin', namespace: 'team-a' } },
        { name: 'with-login', context: { cluster: 'prod-eu', user: 'sso' } },
        { name: '`reboot`', context: {} },
      ],
      clusters: [
        { name: 'prod-eu', cluster: { server: api.url } },
        { name: 'test', cluster: { server: api.url } },
      ],
      users: [
        { name: 'admin', user: { token: 't' } },
        { name: 'sso', user: { exec: login } },
      ],
      'current-context': 'prod',
    };
    writeFileSync(config(), JSON.stringify(content));
  });
  after(async () => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a line becomes: the words that are offered, then what the shell does. */
  async function offer(line: string, setting: Parameters<typeof run>[1] = {}) {
    const argv = ['__complete', ...line.split(' ')];
    const usual = { env: { ORCHCONFIG: config() }, home: folder, clock: patientClock };
    const { code, out, err } = await run(argv, { ...usual, ...setting });
    expect({ code, err }, line).to.deep.equal({ code: 0, err: '' });
    return out
      .trimEnd()
      .split('\n')
      .map((word) => word.split('\t')[0]);
  }

  const cases: Readonly<Record<string, readonly string[]>> = {
    des: ['describe', ':words'],
    conf: ['config', ':words'],
    'config use-': ['use-context', ':words'],
    'create serv': ['service', 'serviceaccount', ':words'],
    'create service no': ['nodeport', ':words'],
    'help roll': ['rollout', ':words'],
    'help rollout und': ['undo', ':words'],
    'unknown ': [':words'],
    'get --ignore': ['--ignore-not-found', ':words'],
    'get --outp': ['--output-watch-events', '--output=', ':nospace'],
    'get --kube-config': [':words'],
    'get po': ['pods', ':words'],
    'get deploy': ['deployments', ':words'],
    'get svc': ['svc', ':words'],
    'get al': ['all', ':words'],
    'get events.': ['events.events.orch.io', ':words'],
    'get pods,ser': ['pods,services', ':words'],
    'get pods ': ['web-1', 'web-2', 'db-1', ':words'],
    'get po web': ['web-1', 'web-2', ':words'],
    'get pods web-1 web': ['web-2', ':words'],
    'get pods,svc web': ['web-1', 'web-2', 'web', ':words'],
    'get pods -n team-a ': ['other-1', ':words'],
    '-n team-a get pods ': ['other-1', ':words'],
    'get pods --context=admin@test ': ['other-1', ':words'],
    'get pod/we': ['pod/web-1', 'pod/web-2', ':words'],
    'get pod/web-1 deploym': ['deployments/', ':nospace'],
    'delete deployments a': ['api', ':words'],
    'describe things ': [':words'],
    'rollout status deploy': ['deployments', ':words'],
    'rollout status deployment/w': ['deployment/web', ':words'],
    'diff deployment/w': ['deployment/web', ':words'],
    'log deployment/w': ['deployment/web', ':words'],
    'undo deployment/w': ['deployment/web', ':words'],
    'auth can-i li': ['list', ':words'],
    'auth can-i list pod': ['pods', ':words'],
    'logs web': ['web-1', 'web-2', ':words'],
    'logs web-1 ': ['web', 'proxy', 'prepare', ':words'],
    'logs web-1 -c p': ['proxy', 'prepare', ':words'],
    'exec web-1 --container=w': ['--container=web', ':words'],
    'exec -c w': [':words'],
    'attach deployment/web -c pro': ['proxy', ':words'],
    'exec web-1 -- ca': [':files'],
    'get -n te': ['team-a', ':words'],
    'get -nte': ['-nteam-a', ':words'],
    'get --namespace=': ['--namespace=default', '--namespace=team-a', ':words'],
    'get --context ': ['prod', 'admin@test', 'with-login', ':words'],
    'config use-context ad': ['admin@test', ':words'],
    'config delete-cluster ': ['prod-eu', 'test', ':words'],
    'config set-context prod --user=': ['--user=admin', '--user=sso', ':words'],
    'create rolebinding x --user=': [':words'],
    'config get-contexts prod ': ['admin@test', 'with-login', ':words'],
    'explain po': ['pods', ':words'],
    'explain pod.s': ['pod.spec', ':words'],
    'explain pods.spec.containers.': ['pods.spec.containers.image', 'pods.spec.containers.name', ':words'],
    'explain pods.spec.nothing.': [':words'],
    'explain deploy --api-version=apps': ['--api-version=apps/v1', ':words'],
    'get -o js': ['json', 'jsonpath=', 'jsonpath-as-json=', 'jsonpath-file=', ':nospace'],
    'get -o w': ['wide', ':words'],
    'create -f x -o w': [':words'],
    'edit -o ': ['json', 'yaml', ':words'],
    'apply --dry-run=s': ['--dry-run=server', ':words'],
    'apply -f ': [':files'],
    'apply --filename=./a': [':files'],
    'apply -k ': [':folders'],
    'kustomize ': [':folders'],
    'completion ': ['bash', 'zsh', 'fish', ':words'],
    'create role x --resource=pods,deploy': ['--resource=pods,deployments', ':words'],
    'get --bogus pods ': [':words'],
    'get pods --context=gone ': [':words'],
  };
  for (const [line, expected] of Object.entries(cases)) {
    it(`offers for ctl ${line}|: ${expected.join(' ')}`, async () => {
      expect(await offer(line)).to.deep.equal(expected);
    });
  }

  it('offers every command, and every flag of one', async () => {
    const { commands = [] } = await loadCtlProgram();
    expect(await offer('')).to.deep.equal([
      ...commands.map(({ name }) => name.replace('ctl ', '')),
      ':words',
    ]);
    const { out } = await run(['__complete', 'cordon', '--sel']);
    expect(out).to.match(/^--selector=\t\w.*\n:nospace\n$/);
  });

  it('has values for commands and flags that there are', async () => {
    const { commands = [] } = await loadCtlProgram();
    const all = commands.flatMap((command) => [command, ...(command.commands ?? [])]);
    const names = new Set(all.map(({ name }) => name.replace('ctl ', '')));
    const flags = new Set(all.flatMap(({ options }) => options.map(({ name }) => name)));
    expect(Object.keys(table.arguments).filter((name) => !names.has(name))).to.deep.equal([]);
    expect(Object.keys(table.flags).filter((name) => !flags.has(name))).to.deep.equal([]);
  });

  it('asks no server for what the cache knows, however old that is', async () => {
    await offer('get po');
    await offer('explain pods.');
    const count = api.requests.length;
    const clock = { ...patientClock, nowMs: () => systemClock.nowMs() + 30 * 24 * 3600 * 1000 };
    expect(await offer('get po', { clock })).to.deep.equal(['pods', ':words']);
    expect(await offer('explain pods.s', { clock })).to.deep.equal(['pods.spec', ':words']);
    expect(await offer('get nothing-like-it', { clock })).to.deep.equal([':words']);
    expect(api.requests.length).to.equal(count);
  });

  it('does not log in, and offers then what the cache knows', async () => {
    await offer('get po');
    const count = api.requests.length;
    expect(await offer('get --context=with-login po')).to.deep.equal(['pods', ':words']);
    expect(await offer('get --context=with-login pods ')).to.deep.equal([':words']);
    expect([existsSync(marker()), api.requests.length]).to.deep.equal([false, count]);
  });

  it('is quiet about servers and files that are not there, and about those that are broken', async () => {
    const other = (server: string) => ['-s', server, 'get', 'pods', ''].join(' ');
    expect(await offer(other('http://127.0.0.1:1'))).to.deep.equal([':words']);
    expect(await offer(other('nonsense://x'))).to.deep.equal([':words']);
    mkdirSync(join(folder, 'directory'), { recursive: true });
    writeFileSync(join(folder, 'broken'), '{]');
    for (const file of ['none', 'directory', 'broken']) {
      const env = { ORCHCONFIG: join(folder, file) };
      expect(await offer('get pods ', { env })).to.deep.equal([':words']);
      expect(await offer('get --context=', { env })).to.deep.equal([':words']);
    }
  });

  it('waits no longer than a person does for a server that says nothing', async () => {
    const silent = createServer((socket) => void socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const limitsMs: number[] = [];
    const clock: Clock = {
      ...systemClock,
      setTimer(delayMs, callback) {
        limitsMs.push(delayMs);
        silent.once('connection', callback);
        return () => {};
      },
    };
    let hasEnded = false;
    const endNow = () => {
      hasEnded = true;
    };
    try {
      const { port } = silent.address() as AddressInfo;
      const offered = await offer(`-s http://127.0.0.1:${port} get pods `, { endNow, clock });
      expect(offered).to.deep.equal([':words']);
      expect(limitsMs).to.deep.equal([300]);
      // The runtime might wait for a name server.
      expect(hasEnded).to.equal(true);
    } finally {
      silent.close();
    }
    // No request is left that would hold up a process of somebody else.
    await once(silent, 'close');
  });
});
