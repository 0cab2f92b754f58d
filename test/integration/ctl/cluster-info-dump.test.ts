import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../../unit/ctl/support/run.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

describe('ctl cluster-info dump', () => {
  it('writes nothing outside of its folder, whatever names the server has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dump-'));
    const hostile = createServer(({ url = '' }, response) => {
      const items = url.startsWith('/api/v1/namespaces/default/pods')
        ? [
            {
              metadata: { name: '../../../out', namespace: 'default' },
              spec: { containers: [{ name: 'c' }] },
            },
          ]
        : [];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: {}, items }));
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    try {
      const { port } = hostile.address() as AddressInfo;
      const { code, err } = await run(
        [
          ...['cluster-info', 'dump', '--namespaces=default', `--output-directory=${folder}/a/b`],
          `--server=http://127.0.0.1:${port}`,
        ],
        { env: { ORCHCONFIG: '/dev/null' }, home: folder },
      );
      expect([code, err]).to.deep.equal([1, 'error: "../../../out" cannot be the name of a file\n']);
      expect(readdirSync(folder)).to.not.include('out');
    } finally {
      hostile.closeAllConnections();
      hostile.close();
      rmSync(folder, { recursive: true });
    }
  });

  let server: CtlServer;
  before(async () => {
    server = await startCtlServer();
    await server.ctl(['create', 'namespace', 'apart']);
    await server.ctl(['create', 'deployment', 'web', '--image=i', '-n', 'apart']);
    await server.ctl(['run', 'lone', '--image=i', '-n', 'apart']);
  });
  after(() => server.stop());

  const dump = (...args: string[]) => server.ctl(['cluster-info', 'dump', ...args]);

  it('prints nodes, then what is in the namespaces of the system and of the context, with logs', async () => {
    const { code, out } = await dump('-n', 'apart', '-o', 'jsonpath={.kind}{"\\n"}');
    const ofNamespace = [
      ...['EventList', 'ReplicationControllerList', 'ServiceList', 'DaemonSetList', 'DeploymentList'],
      ...['ReplicaSetList', 'PodList'],
    ];
    expect(code).to.equal(0);
    expect(out.split('\n').slice(0, 15)).to.deep.equal(['NodeList', ...ofNamespace, ...ofNamespace]);
    expect(out.split('\n').slice(15)).to.deep.equal([
      '==== START logs for container lone of pod apart/lone ====',
      // It is on no node, and has no log.
      '==== END logs for container lone of pod apart/lone ====',
      '',
    ]);
  });

  it('writes them below a folder, each to a file of its own', async () => {
    const folder = join(server.folder, 'state');
    const { code, out } = await dump(
      '--namespaces=apart,default',
      `--output-directory=${folder}`,
      '-o',
      'yaml',
    );
    expect([code, out]).to.deep.equal([0, `Cluster info dumped to ${folder}\n`]);
    expect(readdirSync(folder).toSorted()).to.deep.equal(['apart', 'default', 'nodes.yaml']);
    expect(readdirSync(join(folder, 'apart')).toSorted()).to.deep.equal([
      ...['daemonsets.yaml', 'deployments.yaml', 'events.yaml', 'lone', 'pods.yaml', 'replicasets.yaml'],
      ...['replication-controllers.yaml', 'services.yaml'],
    ]);
    expect(readFileSync(join(folder, 'apart', 'deployments.yaml'), 'utf8')).to.include('\n    name: web\n');
    expect(readFileSync(join(folder, 'apart', 'lone', 'logs.txt'), 'utf8')).to.match(/^==== START logs/);
  });

  it('warns that there is nothing to wait for', async () => {
    const { code, err } = await dump('--namespaces=apart', '--pod-running-timeout=1s');
    expect(code).to.equal(0);
    expect(err).to.equal(
      'Warning: --pod-running-timeout has no effect in orch: logs are shown of pods that are there\n',
    );
  });

  it('knows all namespaces', async () => {
    const { out } = await dump('-A', '-o', 'name');
    expect(out).to.include('deployment.apps/web\n').and.include('service/orch\n');
  });

  const refused: [args: string[], text: string][] = [
    [['x'], 'unexpected arguments: [x]'],
    [
      ['-o', 'wide'],
      'unable to match a printer suitable for the output format "wide", allowed formats are: go-template',
    ],
    [['-o', 'custom-columns=A:.kind'], 'unable to match a printer suitable for the output format'],
    [['--pod-running-timeout=0s'], '--pod-running-timeout must be higher than zero'],
    [['--output-directory=/dev/null/x'], 'error: '],
  ];
  for (const [args, text] of refused) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, out, err } = await dump(...args);
      expect([code, out]).to.deep.equal([1, '']);
      expect(err).to.include(text);
    });
  }
});
