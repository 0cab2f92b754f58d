import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { silentLogger, systemClock } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  type AgentServers,
  createAgentMetrics,
  measureRuntime,
  startAgentServers,
} from '../../../../src/nodeagent/api/index.ts';
import { createCriRuntime } from '../../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../../../src/nodeagent/runtime/index.ts';
import { type Containerd, startContainerd } from '../../../support/containerd.ts';
import { eventually } from '../../../support/eventually.ts';
import { requireContainerd } from '../../../support/require-containerd.ts';
import { containerOf, podOf } from '../../../unit/nodeagent/container-config/pods.ts';
import { agentConfig, send } from './agent-requests.ts';
import { openChannels } from './channel-client.ts';
import { OnePodAgent } from './one-pod-agent.ts';

const shell = (script: string): string[] => ['sh', '-c', script];
const again = containerOf({
  name: 'd',
  command: shell('[ -e /v/x ] && { echo second >&2; exec sleep 3600; }; touch /v/x; echo first; exit 3'),
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
});
const pod = podOf(
  {
    volumes: [{ name: 'v', emptyDir: {} }],
    initContainers: [containerOf({ name: 'i1', command: shell('echo from init') })],
    containers: [
      containerOf({
        name: 'c',
        command: shell('for i in 1 2 3; do echo line $i; done; echo end; exec httpd -f -p 8080 -h /www'),
      }),
      again,
      containerOf({ name: 'cat', command: ['cat'], stdin: true }),
    ],
  },
  { name: 'web-node1', namespace: 'default' },
);
const success = '{"metadata":{},"status":"Success"}';

describe('servers over real containers', () => {
  let containerd: Containerd | undefined;
  let driver: ContainerRuntime | undefined;
  let agent: OnePodAgent;
  let servers: AgentServers;
  let port = 0;

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 30_000 });
    agent = new OnePodAgent(pod, driver, containerd);
    await agent.start();
    await agent.ended('d');
    await agent.startContainer(again);
    const metrics = createAgentMetrics({ nodeName: 'node1', dialect: orchDialect, startedAtMs: 0 });
    servers = await startAgentServers({
      config: await agentConfig(containerd.folder, [`--cgroup-root=${containerd.cgroupParent}`]),
      nodeName: 'node1',
      dialect: orchDialect,
      view: agent,
      runtime: measureRuntime(driver.runtime, metrics, systemClock),
      images: driver.images,
      metrics,
      configz: () => ({}),
      client: undefined,
      submitted: undefined,
      volumes: undefined,
      certificates: undefined,
      setVerbosity() {},
      checkLog() {},
      commandLine: [],
      clock: systemClock,
      logger: silentLogger,
    });
    port = servers.securePort ?? 0;
    const url = '/containerLogs/default/web-node1';
    await eventually(async () => ((await get(`${url}/c`)).body.endsWith('end\n') ? true : undefined));
    await eventually(async () => ((await get(`${url}/d`)).body === 'second\n' ? true : undefined));
  });
  after(async () => {
    await servers?.[Symbol.asyncDispose]();
    await agent?.remove();
    await driver?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });

  const get = (path: string) => send(servers, `GET ${path}`);
  const run = (path: string) => send(servers, `POST /run/default/web-node1/${path}`);

  const logs: readonly (readonly [path: string, body: string | RegExp, status?: number])[] = [
    ['c', 'line 1\nline 2\nline 3\nend\n'],
    ['c?tailLines=2', 'line 3\nend\n'],
    ['c?tailLines=0', ''],
    ['c?tailLines=3&limitBytes=9', 'line 2\nli'],
    ['c?sinceTime=2099-01-01T00:00:00Z', ''],
    ['c?tailLines=1&timestamps=true', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}\S+ end\n$/],
    ['d', 'second\n'],
    ['d?previous=true', 'first\n'],
    ['i1', 'from init\n'],
    ['i1?follow=true', 'from init\n'],
    ['c?previous=true', 'previous terminated container "c" in pod "web-node1" not found', 400],
  ];
  for (const [path, body, status = 200] of logs) {
    it(`shows the log ${path}`, async () => {
      const answer = await get(`/containerLogs/default/web-node1/${path}`);
      expect(answer.status).to.equal(status);
      if (typeof body === 'string') expect(answer.body).to.equal(body);
      else expect(answer.body).to.match(body);
      expect(answer.headers['transfer-encoding']).to.equal('chunked');
      expect(answer.headers['content-type']).to.equal(undefined);
    });
  }

  it('keeps a followed log open', async () => {
    const path = '/containerLogs/default/web-node1/c?follow=true&tailLines=1';
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false, rejectUnauthorized: false });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).to.equal('end\n');
    expect(answer.complete).to.equal(false);
    outgoing.destroy();
  });

  it('runs commands', async () => {
    expect(await run('c?cmd=echo%20hi%20there')).to.deep.include({ status: 200, body: 'hi there\n' });
    expect((await run('any-uid/c?cmd=echo%20uid')).body).to.equal('uid\n');
    const silent = await run('c?cmd=true');
    expect(silent).to.deep.include({ status: 200, body: '' });
    expect(silent.headers['content-type']).to.equal(undefined);
    const failed = await run('c?cmd=cat%20/nope');
    expect(failed.status).to.equal(500);
    expect(failed.body).to.match(/^command 'cat \/nope' exited with 1: cat: can't open '\/nope'/);
    const missing = await run('c?cmd=nosuch');
    expect(missing.status).to.equal(500);
    expect(missing.body).to.match(/^rpc error: code = Unknown desc = failed to exec in container: /);
    expect((await run('i1?cmd=ls')).body).to.equal('container not found ("i1")');
  });

  it('carries the streams of commands', async () => {
    const exec = (query: string, protocols?: readonly string[]) =>
      openChannels(port, `/exec/default/web-node1/c?${query}`, protocols);
    const echo = await exec('command=echo&command=hi&output=1');
    expect(echo.protocol).to.equal('v4.channel.orch.io');
    expect(await echo.closed()).to.equal(1000);
    expect([echo.text(1), echo.text(3)]).to.deep.equal(['hi\n', success]);
    const typed = await exec('command=head&command=-n1&input=1&output=1');
    typed.send(0, 'typed\n');
    await typed.closed();
    expect([typed.text(1), typed.text(3)]).to.deep.equal(['typed\n', success]);
    const failing = await exec('command=sh&command=-c&command=exit+5&output=1&error=1');
    await failing.closed();
    expect(failing.text(3)).to.include('"reason":"NonZeroExitCode"').and.include('"message":"5"');
    const terminal = await exec('command=test&command=-t&command=0&input=1&output=1&tty=1');
    await terminal.closed();
    expect(terminal.text(3)).to.equal(success);
    const plain = await exec('command=echo&command=hi&output=1', []);
    await plain.closed();
    expect([plain.protocol, plain.text(1)]).to.deep.equal(['', 'hi\n']);
  });

  it('attaches to what runs', async () => {
    const attached = await openChannels(port, '/attach/default/web-node1/cat?input=1&output=1');
    attached.send(0, 'are you there\n');
    await attached.until(1, 'are you there\n');
    attached.close();
    await attached.closed();
  });

  it('forwards ports', async () => {
    const forwarded = await openChannels(port, '/portForward/default/web-node1?port=8080');
    forwarded.send(0, 'GET /nope HTTP/1.0\r\n\r\n');
    await forwarded.until(0, 'HTTP/1.1 404 Not Found');
    await forwarded.closed();
    const [low = 0, high = 0] = Buffer.from(forwarded.text(0), 'latin1');
    expect(low + 256 * high).to.equal(8080);
  });

  it('speaks the other protocol of streams as well', async () => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    socket.write(
      [
        'POST /exec/default/web-node1/c?command=true&output=1 HTTP/1.1',
        'Host: node1',
        'Connection: Upgrade',
        'Upgrade: SPDY/3.1',
        'X-Stream-Protocol-Version: v4.channel.orch.io',
        'X-Stream-Protocol-Version: channel.orch.io',
        'Content-Length: 0',
        '\r\n',
      ].join('\r\n'),
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).to.match(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(head.toString()).to.match(/\r\nX-Stream-Protocol-Version: v4\.channel\.orch\.io\r\n/i);
    // A ping comes back as it is, when nothing else has come before it (SPDY/3.1, section 2.6.5).
    const ping = Buffer.from('800300060000000400000001', 'hex');
    socket.write(ping);
    let echo = Buffer.alloc(0);
    while (echo.length < ping.length)
      echo = Buffer.concat([echo, ...((await once(socket, 'data')) as [Buffer])]);
    socket.destroy();
    expect(echo.toString('hex')).to.equal(ping.toString('hex'));
  });

  for (const path of [
    'exec/default/web-node1/c?command=ls&output=1',
    'attach/default/web-node1/c?output=1',
    'portForward/default/web-node1?port=8080',
  ]) {
    it(`asks for another protocol on ${path}`, async () => {
      const answer = await get(`/${path}`);
      expect([answer.status, answer.body]).to.deep.equal([500, 'Upgrade request required\n']);
    });
  }

  it('measures what runs', async () => {
    const { body } = await get('/stats/summary');
    const { pods } = JSON.parse(body) as {
      pods: readonly {
        podRef: { name: string };
        memory: { workingSetBytes: number };
        process_stats: { process_count: number };
        containers: readonly { name: string; cpu: { usageCoreNanoSeconds: number } }[];
      }[];
    };
    const [shown] = pods;
    expect(shown?.podRef.name).to.equal('web-node1');
    expect(shown?.memory.workingSetBytes).to.be.greaterThan(0);
    expect(shown?.process_stats.process_count).to.be.at.least(4);
    expect(shown?.containers.map(({ name }) => name)).to.have.members(['c', 'd', 'cat']);
    expect(shown?.containers[0]?.cpu.usageCoreNanoSeconds).to.be.greaterThan(0);
    const resources = (await get('/metrics/resource')).body;
    expect(resources).to.match(
      /^container_memory_working_set_bytes\{container="c",namespace="default",pod="web-node1"\} \d/m,
    );
    const groups = (await get('/metrics/cadvisor')).body;
    expect(groups).to.match(/^container_processes\{container="c",[^}]*pod="web-node1"\} 1 /m);
    expect((await get('/metrics')).body).to.match(
      /^nodeagent_runtime_operations_total\{operation_type="exec_sync"\} [1-9]/m,
    );
  });

  it('says in place of a log why it is not there', async () => {
    const { containerID = '' } = agent.pods()[0]?.status?.initContainerStatuses?.[0] ?? {};
    const id = containerID.split('//')[1] ?? '';
    const { logPath = '' } = (await driver?.runtime.containerStatus(id)) ?? {};
    const url = '/containerLogs/default/web-node1/i1';
    await rm(logPath);
    expect(await get(url)).to.deep.include({
      status: 200,
      body: `failed to try resolving symlinks in path "${logPath}": lstat ${logPath}: no such file or directory`,
    });
    await driver?.runtime.removeContainer(id);
    expect(await get(url)).to.deep.include({
      status: 200,
      body: `unable to retrieve container logs for ${containerID}`,
    });
  });

  it('ends streams when it stops', async () => {
    const endless = await openChannels(port, '/exec/default/web-node1/c?command=sleep&command=1000&output=1');
    await servers[Symbol.asyncDispose]();
    expect(await endless.closed()).to.equal(1006);
  });
});
