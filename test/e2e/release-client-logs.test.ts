import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { saveClientConfig } from '../../src/client/config/index.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../support/fake-agent.ts';
import { inNamespace, pod } from '../support/objects.ts';
import {
  type ClientRun,
  requireReleaseClient,
  runReleaseClient,
  streamReleaseClient,
} from '../support/release-client.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const pods = inNamespace('default', 'pods');

describe("the release's own client reads logs", () => {
  let path: string;
  let server: TestServer;
  let agent: FakeAgent;
  let directory: TemporaryDirectory;
  before(async function () {
    this.timeout(60_000);
    path = await requireReleaseClient(this);
    directory = await makeTemporaryDirectory();
    agent = await startFakeAgent();
    server = await startTestServer({ flags: ['--dialect=kubernetes'] });
    await saveClientConfig(join(directory.path, 'config'), server.server.clientConfig);
    await registerNode(server.admin, 'near', agent, { endpointField: 'kubeletEndpoint' });
    const { spec, ...rest } = pod('web');
    const containers = [...spec.containers, { name: 'side', image: 'example/image:1' }];
    await server.admin.create(pods, { ...rest, spec: { containers, nodeName: 'near' } });
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
    await directory?.remove();
  });

  const access = () => [`--kubeconfig=${join(directory.path, 'config')}`, `--cache-dir=${directory.path}`];
  const run = (...args: string[]): Promise<ClientRun> => runReleaseClient(path, [...access(), ...args]);

  it('of one container', async () => {
    agent.onRequest = (request, response) => response.end(`${request.url}\n`);
    const { code, stdout, stderr } = await run('logs', 'web', '-c', 'main', '--tail=5', '--timestamps');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal('/containerLogs/default/web/main?tailLines=5&timestamps=true\n');
    expect(agent.seen.at(-1)?.client).to.equal('kube-apiserver-kubelet-client');
  });

  it('of all containers', async () => {
    agent.onRequest = (request, response) => response.end(`${request.url}\n`);
    const { stdout } = await run('logs', 'web', '--all-containers');
    // The release's client walks a map of its requests: any order may come.
    expect(stdout.trim().split('\n').sort()).to.deep.equal([
      '/containerLogs/default/web/main',
      '/containerLogs/default/web/side',
    ]);
  });

  it('as they are written', async () => {
    let write = (_text: string): unknown => undefined;
    agent.onRequest = (_, response) => {
      write = (text) => response.write(text);
      write('first\n');
    };
    const stream = streamReleaseClient(path, [...access(), 'logs', '-f', 'web', '-c', 'main']);
    expect(await stream.take(1)).to.deep.equal(['first']);
    write('second\n');
    expect(await stream.take(2)).to.deep.equal(['first', 'second']);
    await stream.end();
  });

  it('and says why there are none', async () => {
    agent.onRequest = (_, response) =>
      response.writeHead(400).end('previous terminated container "main" in pod "web" not found');
    const { code, stderr } = await run('logs', 'web', '-c', 'main', '-p');
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'Error from server (BadRequest): previous terminated container "main" in pod "web" not found',
    );
    const missing = await run('logs', 'web');
    expect(missing.stderr).to.include(
      'a container name must be specified for pod web, choose one of: [main side]',
    );
  });

  it('and the health of a node', async () => {
    agent.onRequest = (_, response) => response.end('ok');
    const { stdout } = await run('get', '--raw', '/api/v1/nodes/near/proxy/healthz');
    expect(stdout).to.equal('ok');
  });
});
