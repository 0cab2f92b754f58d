import { join } from 'node:path';
import { expect } from 'chai';
import { saveClientConfig } from '../../../src/client/config/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type FakeAgent, registerNode, startFakeAgent } from '../../support/fake-agent.ts';
import { inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type RunResult, run } from '../../unit/ctl/support/run.ts';

const pods = inNamespace('default', 'pods');
const onNode = '--overrides={"spec":{"nodeName":"near"}}';
const help = "See 'ctl run -h' for help and examples\n";

describe('ctl run', () => {
  let server: TestServer;
  let agent: FakeAgent;
  let folder: TemporaryDirectory;
  const ctl = (...argv: string[]): Promise<RunResult> =>
    run(argv, { env: { ORCHCONFIG: join(folder.path, 'config') }, home: folder.path });

  before(async () => {
    folder = await makeTemporaryDirectory();
    agent = await startFakeAgent();
    agent.onRequest = (_request, response) => response.end('what it wrote\n');
    server = await startTestServer();
    await saveClientConfig(join(folder.path, 'config'), server.server.clientConfig);
    await registerNode(server.admin, 'near', agent);
  });
  after(async () => {
    await server?.stop();
    await agent?.stop();
    await folder?.remove();
  });

  /** Gives a pod a status as soon as it is there. */
  const setStatus = (name: string, status: object) =>
    eventually(async () => {
      const { code } = await server.admin.send('PATCH', `${pods}/${name}/status`, {
        body: { status },
        contentType: 'application/merge-patch+json',
      });
      return code === 200 ? true : undefined;
    });

  it('makes a pod of flags and words', async () => {
    const { out, err, code } = await ctl(
      ...'run web --image=i:1 --port=80 --hostport=8080 --env=A=b --env=C= -l x=y --annotations=k=v'.split(
        ' ',
      ),
      ...'--limits=cpu=1 --requests=memory=1Gi --serviceaccount=sa --privileged --image-pull-policy=Never'.split(
        ' ',
      ),
      ...'--restart=OnFailure --dry-run=client -o json --command -- a b'.split(' '),
    );
    expect([err, code]).to.deep.equal(['', 0]);
    expect(JSON.parse(out)).to.deep.equal({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web', creationTimestamp: null, labels: { x: 'y' }, annotations: { k: 'v' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'i:1',
            command: ['a', 'b'],
            ports: [{ hostPort: 8080, containerPort: 80 }],
            env: [{ name: 'A', value: 'b' }, { name: 'C' }],
            resources: { limits: { cpu: '1' }, requests: { memory: '1Gi' } },
            imagePullPolicy: 'Never',
            securityContext: { privileged: true },
          },
        ],
        restartPolicy: 'OnFailure',
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: 'sa',
      },
      status: {},
    });
  });

  it('makes a service that leads to the pod', async () => {
    const made = await ctl('run', 'front', '--image=i', '--port=80', '--expose');
    expect(made).to.deep.equal({ out: 'service/front created\npod/front created\n', err: '', code: 0 });
    const { spec } = await server.admin.expect('GET', inNamespace('default', 'services/front'));
    expect(spec.selector).to.deep.equal({ run: 'front' });
    expect(spec.ports).to.deep.equal([{ protocol: 'TCP', port: 80, targetPort: 80 }]);
  });

  it('makes the service as flags of before say', async () => {
    const overrides = JSON.stringify({ metadata: { annotations: { a: 'b' } }, spec: { type: 'NodePort' } });
    const flags = ['--service-generator=service/v1', `--service-overrides=${overrides}`];
    const { code, err } = await ctl('run', 'side', '--image=i', '--port=80', '--expose', ...flags);
    expect(code).to.equal(0);
    expect(err).to.match(/Warning: --service-overrides is deprecated: /);
    const { metadata, spec } = await server.admin.expect('GET', inNamespace('default', 'services/side'));
    expect(metadata.annotations).to.deep.equal({ a: 'b' });
    expect(spec.type).to.equal('NodePort');
    expect(spec.ports[0]).to.include({ name: 'default', port: 80 });
  });

  it('says so when there is no service that flags could shape', async () => {
    const { code, out, err } = await ctl('run', 'alone', '--image=i', '--service-overrides={}');
    expect({ code, out }).to.deep.equal({ code: 0, out: 'pod/alone created\n' });
    expect(err).to.match(/^Warning: --service-overrides has no effect without --expose$/m);
  });

  it('makes nothing where it would not know how to make the service', async () => {
    const made = await ctl('run', 'lost', '--image=i', '--port=80', '--expose', '--service-generator=x');
    expect(made).to.deep.include({ out: '', code: 1 });
    expect(made.err).to.match(/error: missing service generator: x\n$/);
    const { items } = await server.admin.expect('GET', inNamespace('default', 'pods'));
    expect(items.map((pod: { metadata: { name: string } }) => pod.metadata.name)).not.to.include('lost');
  });

  const mistakes: readonly (readonly [argv: string, err: string])[] = [
    ['--image=i', `error: NAME is required for run\n${help}`],
    ['a', `Error: required flag(s) "image" not set\n`],
    ['a --image=', 'error: --image is required\n'],
    ['a --image=I!', 'error: Invalid image name "I!": invalid reference format\n'],
    ['a --image=i -t', `error: -i/--stdin is required for containers with -t/--tty=true\n${help}`],
    ['a --image=i --expose', `error: --port must be set when exposing a service\n${help}`],
    ['a --image=i --rm', `error: --rm should only be used for attached containers\n${help}`],
    [
      'a --image=i -i --dry-run=server',
      `error: --dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)\n${help}`,
    ],
    ['a --image=i --restart=X', `error: invalid restart policy: X\n${help}`],
    ['a --image=i --image-pull-policy=X', `error: invalid image pull policy: X\n${help}`],
    ['a --image=i --env=1=b', 'error: invalid env: 1=b\n'],
    ['a --image=i --annotations=x', 'error: invalid annotations format: x\n'],
    ['a --image=i --limits=cpu', 'error: Invalid argument syntax cpu, expected <resource>=<value>\n'],
    ['a --image=i --hostport=1', 'error: --hostport requires --port to be specified\n'],
    ['a --image=i --port=x', 'error: strconv.Atoi: parsing "x": invalid syntax\n'],
  ];
  for (const [argv, err] of mistakes) {
    it(`refuses: run ${argv}`, async () => {
      expect(await ctl('run', ...argv.split(' '))).to.deep.equal({ out: '', err, code: 1 });
    });
  }

  it('ends as a pod ends that it stays with, prints what that wrote, and removes it', async () => {
    const running = ctl('run', 'job', '--image=i', '--restart=Never', '--attach', '--rm', onNode);
    const state = { terminated: { exitCode: 3, reason: 'Error', message: 'bad' } };
    const status = {
      name: 'job',
      state,
      lastState: {},
      ready: false,
      restartCount: 0,
      image: 'i',
      imageID: '',
    };
    await setStatus('job', { phase: 'Failed', containerStatuses: [status] });
    expect(await running).to.deep.equal({
      out: 'what it wrote\npod "job" deleted\n',
      err: 'pod default/job terminated (Error)\nbad\n',
      code: 3,
    });
  });

  it('ends well with a pod that does', async () => {
    const running = ctl('run', 'good', '--image=i', '--restart=OnFailure', '--attach', '--quiet', onNode);
    await setStatus('good', { phase: 'Succeeded' });
    expect(await running).to.deep.equal({ out: 'what it wrote\n', err: '', code: 0 });
  });

  it('does not wait longer than it is told to', async () => {
    const late = await ctl('run', 'late', '--image=i', '-i', '--pod-running-timeout=50ms', '--rm', '--force');
    expect(late).to.deep.equal({
      out: 'pod "late" force deleted\n',
      err: 'error: timed out waiting for the condition\n',
      code: 1,
    });
    expect((await server.admin.send('GET', `${pods}/late`)).code).to.equal(404);
  });
});
