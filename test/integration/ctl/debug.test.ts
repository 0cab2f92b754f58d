import { join } from 'node:path';
import { expect } from 'chai';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import type { JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../support/fake-agent.ts';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type RunResult, run } from '../../unit/ctl/support/run.ts';

const pods = inNamespace('default', 'pods');

describe('ctl debug', () => {
  let server: TestServer;
  let agent: FakeAgent;
  let folder: TemporaryDirectory;
  const ctl = (line: string): Promise<RunResult> =>
    run(line.split(' '), { env: { ORCHCONFIG: join(folder.path, 'config') }, home: folder.path });
  const read = async (name: string): Promise<JsonObject> => server.admin.expect('GET', `${pods}/${name}`);

  before(async () => {
    folder = await makeTemporaryDirectory();
    agent = await startFakeAgent();
    agent.onRequest = (request, response) => response.end(`${request.url}\n`);
    server = await startTestServer({ flags: ['--feature-gates=EphemeralContainers=true'] });
    await saveClientConfig(join(folder.path, 'config'), server.server.clientConfig);
    await registerNode(server.admin, 'near', agent);
    await server.admin.create(pods, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web', labels: { app: 'web' }, annotations: { of: 'web' } },
      spec: {
        nodeName: 'near',
        containers: [
          { name: 'main', image: 'i:1', command: ['run'], args: ['a'] },
          { name: 'side', image: 's:1' },
        ],
      },
    });
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
    await folder?.remove();
  });

  it('adds a container to a running pod', async () => {
    const added = await ctl('debug web --image=b:1 -c look --target=main --env=A=1 -- sh -c x');
    expect(added).to.deep.include({ out: '', err: '', code: 0 });
    const unnamed = await ctl('debug web --image=b:1 --arguments-only -- x');
    expect(unnamed.out).to.match(/^Defaulting debug container name to debugger-[a-z0-9]{5}\.\n$/);
    const [look, other] = (await read('web')).spec.ephemeralContainers;
    expect(look).to.include({ name: 'look', image: 'b:1', targetContainerName: 'main' });
    expect(look).to.deep.include({ command: ['sh', '-c', 'x'], env: [{ name: 'A', value: '1' }] });
    expect(other)
      .to.deep.include({ args: ['x'] })
      .and.not.have.property('command');
    expect(unnamed.out).to.include(other.name);
  });

  it('shows what it wrote when its container has ended', async () => {
    const running = ctl('debug web --image=b:1 -c short --attach --quiet');
    const ended = { name: 'short', state: { terminated: { exitCode: 0 } } };
    await eventually(async () => {
      const { spec } = await read('web');
      return spec.ephemeralContainers?.some(({ name }: JsonObject) => name === 'short') || undefined;
    });
    await server.admin.expect('PATCH', `${pods}/web/status`, {
      body: { status: { ephemeralContainerStatuses: [ended] } },
      contentType: 'application/merge-patch+json',
    });
    expect(await running).to.deep.include({ out: '/containerLogs/default/web/short\n', err: '', code: 0 });
  });

  it('adds a container to a copy, which has no labels and no node', async () => {
    const { out, code } = await ctl('debug web --copy-to=added --image=b:1 -c look -it --attach=false');
    expect([out, code]).to.deep.equal(['', 0]);
    const { metadata, spec } = await read('added');
    expect(metadata)
      .to.deep.include({ annotations: { of: 'web' } })
      .and.not.have.property('labels');
    expect(spec).to.not.have.any.keys('nodeName', 'ephemeralContainers', 'shareProcessNamespace');
    expect(spec.containers.map(({ name, image }: JsonObject) => `${name} ${image}`)).to.deep.equal([
      'main i:1',
      'side s:1',
      'look b:1',
    ]);
    expect(spec.containers[2]).to.include({ stdin: true, tty: true });
  });

  it('changes a container of a copy, and images of others', async () => {
    await ctl(
      'debug web --copy-to=changed -c main --same-node --share-processes=false --set-image=*=x,main=y -- sh',
    );
    const { spec } = await read('changed');
    expect(spec).to.include({ nodeName: 'near', shareProcessNamespace: false });
    expect(spec.containers[0])
      .to.deep.include({ image: 'y', command: ['sh'] })
      .and.not.have.property('args');
    expect(spec.containers[1]).to.include({ image: 'x' });
    await ctl('debug web --copy-to=arguments -c main --arguments-only -- b');
    const [first] = (await read('arguments')).spec.containers;
    expect(first).to.deep.include({ command: ['run'], args: ['b'] });
  });

  it('puts the copy in the place of the pod', async () => {
    await server.admin.create(pods, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'old' },
      spec: { containers: [{ name: 'main', image: 'i' }] },
    });
    await ctl('debug old --copy-to=new --replace --set-image=main=j');
    expect((await read('new')).spec.containers[0]).to.include({ image: 'j' });
    expect((await server.admin.get(`${pods}/old`)).code).to.equal(404);
  });

  it('makes a pod with all that a node has', async () => {
    const { out } = await ctl('debug node/near --image=b:1 -c look');
    const [, name = ''] =
      /^Creating debugging pod (node-debugger-near-[a-z0-9]{5}) with container look on node near\.\n$/.exec(
        out,
      ) ?? [];
    const { spec } = await read(name);
    expect(spec).to.include({ hostPID: true, hostIPC: true, hostNetwork: true, nodeName: 'near' });
    expect(spec).to.include({ restartPolicy: 'Never' });
    expect(spec.containers[0].volumeMounts[0]).to.include({ mountPath: '/host' });
    expect(spec.volumes[0].hostPath).to.include({ path: '/' });
  });

  const refused: [line: string, message: string][] = [
    ['', 'you must specify --image when not using --copy-to.'],
    ['--image=b', 'NAME is required for debug'],
    ['web --replace --image=b', '--replace may only be used with --copy-to.'],
    ['web --same-node --image=b', '--same-node may only be used with --copy-to.'],
    ['web --set-image=a=b --image=b', '--set-image may only be used with --copy-to.'],
    ['web --copy-to=c', 'you must specify --image, --set-image or command arguments.'],
    ['web --copy-to=c -- sh', 'you must specify an existing container or a new image when specifying args.'],
    ['web --copy-to=c -c nope -- sh', 'you must specify image when creating new container'],
    [
      'web --copy-to=c --image=b --target=t',
      '--target is incompatible with --copy-to. Use --share-processes instead.',
    ],
    [
      'web --copy-to=c --set-image=a=B:C:D',
      'invalid image name "B:C:D" for container "a": invalid reference format',
    ],
    ['web --image=B:C:D', 'invalid image name "B:C:D": invalid reference format'],
    ['web --image=b --image-pull-policy=No', 'invalid image pull policy: No'],
    ['web --image=b -t', '-i/--stdin is required for containers with -t/--tty=true'],
    ['service/orch --image=b', '"/v1, Kind=Service" not supported by debug'],
    ['web --image=b -c look', 'Duplicate value: "look"'],
  ];
  for (const [line, message] of refused) {
    it(`refuses ${line || 'to work without an image'}`, async () => {
      const { out, err, code } = await ctl(`debug ${line}`.trim());
      expect([out, code]).to.deep.equal(['', 1]);
      expect(err)
        .to.match(/^error: /)
        .and.include(message);
    });
  }

  it('says when the server has no containers of that kind', async () => {
    const plain = await startTestServer();
    const config = join(folder.path, 'plain');
    await saveClientConfig(config, plain.server.clientConfig);
    await plain.admin.create(pods, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'main', image: 'i' }] },
    });
    const { err, code } = await run(['debug', 'web', '--image=b'], {
      env: { ORCHCONFIG: config },
      home: folder.path,
    });
    await plain.stop();
    expect([err, code]).to.deep.equal([
      'error: ephemeral containers are disabled for this cluster (error from server: "the server could not find the requested resource").\n',
      1,
    ]);
  });
});
