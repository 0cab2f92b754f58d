import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import {
  type ContainerRuntime,
  type ImageService,
  RuntimeError,
  type RuntimeService,
} from '../../../../src/nodeagent/runtime/index.ts';
import { testImages } from '../../../support/containerd-images.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { askEngine } from '../../../support/engine-api.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-ports.ts';
import { type ImageRegistry, startImageRegistry } from '../../../support/image-registry.ts';
import { requireEngine } from '../../../support/require-engine.ts';
import { EnginePod, logOfEnded, openEngine } from './engine-pod.ts';

const account = { username: 'robot', password: 'a:b c' };
const untilAsked = 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done';

async function failureOf(call: Promise<unknown>): Promise<RuntimeError> {
  const failure = await call.catch((error: unknown) => error);
  if (!(failure instanceof RuntimeError)) throw new Error(`expected a RuntimeError, got ${failure}`);
  return failure;
}

describe('a driver of the engine', () => {
  let engine: TestEngine;
  let driver: ContainerRuntime;
  let runtime: RuntimeService;
  const opened = new AsyncDisposableStack();

  requireEngine();
  before(async () => {
    engine = opened.use(await startEngine());
    driver = opened.use(openEngine(engine));
    ({ runtime } = driver);
  });
  after(() => opened.disposeAsync());

  const textsOf = async (path: string): Promise<readonly string[]> =>
    (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').slice(2).join(' '));

  describe('after a restart', () => {
    it('finds pods, containers and addresses again', async () => {
      const config = { labels: { app: 'a' }, annotations: { 'some.note/x': 'b c' } };
      const pod = await EnginePod.run(runtime, engine, config);
      const id = await pod.start(runtime, 'one', untilAsked, { labels: { l: '1' }, annotations: { n: '2' } });
      const [sandbox, container] = [
        await runtime.podSandboxStatus(pod.id),
        await runtime.containerStatus(id),
      ];
      await using again = openEngine(engine);
      expect(await again.runtime.podSandboxStatus(pod.id)).to.deep.equal(sandbox);
      expect(await again.runtime.containerStatus(id)).to.deep.equal(container);
      expect(sandbox).to.deep.include(config);
      expect(container).to.deep.include({ labels: { l: '1' }, annotations: { n: '2' } });
      const [listed] = await again.runtime.listContainers({ id });
      expect(listed).to.deep.include({ podSandboxId: pod.id, createdAtMs: container?.createdAtMs });
      await again.runtime.removePodSandbox(pod.id);
      expect(await runtime.listContainers({ id })).to.deep.equal([]);
    });

    it('completes the logs of what ran without it, and repeats nothing', async () => {
      const pod = await EnginePod.run(runtime, engine);
      const folder = join(engine.folder, 'shared');
      await mkdir(folder, { recursive: true });
      const mounts = [
        {
          containerPath: '/v',
          hostPath: folder,
          isReadOnly: false,
          relabelsSelinux: false,
          propagation: 'private' as const,
        },
      ];
      const script = 'for i in 1 2 3; do echo $i; done; until [ -e /v/go ]; do sleep 0.05; done; seq 4 2000';
      const id = await (async () => {
        await using first = openEngine(engine);
        const started = await pod.start(first.runtime, 'one', script, { mounts });
        const path = (await first.runtime.containerStatus(started))?.logPath ?? '';
        await eventually(async () => (await textsOf(path)).includes('F 3') || undefined);
        return started;
      })();
      await mkdir(join(folder, 'go'));
      const path = await logOfEnded(runtime, id);
      expect(await textsOf(path)).to.deep.equal(Array.from({ length: 2000 }, (_, index) => `F ${index + 1}`));
      await runtime.removePodSandbox(pod.id);
    });
  });

  describe('networks by plugins', () => {
    const addressesInUse = async (): Promise<readonly string[]> => {
      const folders = await readdir(join(engine.folder, 'ipam')).catch(() => []);
      const names = await Promise.all(folders.map((each) => readdir(join(engine.folder, 'ipam', each))));
      return names.flat().filter((name) => /^10\./.test(name));
    };
    const results = () => readdir(join(engine.cniCacheDir, 'results')).catch(() => []);

    it('give back what a pod had when it is stopped, also after its sandbox died', async () => {
      const before = await addressesInUse();
      const pods = [await EnginePod.run(runtime, engine), await EnginePod.run(runtime, engine)];
      expect(await addressesInUse()).to.have.length(before.length + 2);
      const dying = pods[1];
      await runtime.execSync({
        containerId: await (pods[0] as EnginePod).start(runtime, 'one', untilAsked),
        command: ['true'],
      });
      // A sandbox has no container of its own that a command can be run in: the engine is asked itself.
      await killSandbox(engine, dying?.id ?? '');
      for (const pod of pods) {
        await runtime.stopPodSandbox(pod.id);
        await runtime.stopPodSandbox(pod.id);
      }
      expect(await addressesInUse()).to.deep.equal(before);
      expect((await results()).filter((name) => pods.some(({ id }) => name.includes(id)))).to.deep.equal([]);
      for (const pod of pods) await runtime.removePodSandbox(pod.id);
    });

    it('that nobody has configured make the runtime not ready, and pods fail', async () => {
      const cniConfDir = join(engine.folder, 'nothing');
      await using bare = openEngine(engine, { cniConfDir });
      const status = await bare.runtime.status();
      expect(status).to.include({ isRuntimeReady: true, isNetworkReady: false });
      expect(status.conditions.find(({ type }) => type === 'NetworkReady')).to.deep.equal({
        type: 'NetworkReady',
        isTrue: false,
        reason: 'NetworkPluginNotReady',
        message: 'legacyrt: network plugin is not ready: cni config uninitialized',
      });
      const before = await runtime.listPodSandboxes();
      const failure = await failureOf(EnginePod.run(bare.runtime, engine));
      expect(failure.message).to.match(
        /^RunPodSandbox: networkPlugin cni failed to set up pod "pod-\d+_test" network: /,
      );
      expect(await runtime.listPodSandboxes()).to.deep.equal(before);
    });

    it('that fail are taken back, and say why', async () => {
      const before = await addressesInUse();
      await using broken = openEngine(engine, { cniBinDir: '/no/such/folder' });
      const failure = await failureOf(EnginePod.run(broken.runtime, engine));
      expect(failure.message).to.contain('failed to find plugin "bridge" in path [/no/such/folder]');
      expect(await addressesInUse()).to.deep.equal(before);
      await rm(join(engine.cniCacheDir, 'results'), { recursive: true });
    });

    for (const networkPlugin of ['cni', 'noop']) {
      it(`lead from ports of the node to pods (${networkPlugin})`, async () => {
        await using own = openEngine(engine, { networkPlugin });
        expect((await own.runtime.status()).isNetworkReady).to.equal(true);
        const hostPort = await freePort();
        const portMappings = [{ protocol: 'TCP', containerPort: 80, hostPort } as const];
        const pod = await EnginePod.run(own.runtime, engine, { portMappings });
        await pod.start(own.runtime, 'one', 'echo hello > /www/index.html; exec httpd -f -h /www');
        const [ip] = (await own.runtime.podSandboxStatus(pod.id))?.ips ?? [];
        for (const host of [`${ip}`, `127.0.0.1:${hostPort}`]) {
          const text = await eventually(() =>
            fetch(`http://${host}/`, { signal: AbortSignal.timeout(2000) }).then(
              (response) => response.text(),
              () => undefined,
            ),
          );
          expect(text).to.equal('hello\n');
        }
        await own.runtime.removePodSandbox(pod.id);
      });
    }
  });

  describe('images of a registry', () => {
    let registry: ImageRegistry;
    let images: ImageService;

    before(async () => {
      registry = opened.use(await startImageRegistry(account));
      ({ images } = driver);
    });

    it('are fetched, with the user that they start as', async () => {
      const image = registry.publicImage('open');
      const id = await images.pullImage({ image });
      const status = await images.imageStatus(image);
      expect(status).to.deep.include({ id, tags: [image], userId: 1000, username: '' });
      expect(status?.digests[0]).to.match(/^localhost:\d+\/public\/open@sha256:[0-9a-f]{64}$/);
      const digest = status?.digests[0] ?? '';
      await images.removeImage(image);
      expect(await images.imageStatus(id)).to.equal(undefined);
      expect(await images.pullImage({ image: digest })).to.equal(id);
    });

    it('that are private need the right login', async () => {
      await using closed = await startImageRegistry(account, { asksForLogin: true });
      const image = closed.privateImage('team/app');
      const auth = Buffer.from(`${account.username}:${account.password}`).toString('base64');
      for (const credentials of [undefined, { ...account, password: 'wrong' }]) {
        const failure = await failureOf(images.pullImage({ image, credentials }));
        expect(failure.code).to.equal('failed');
        expect(failure.message)
          .to.match(/^PullImage: Error response from daemon: /)
          .and.not.contain('wrong');
      }
      const id = await images.pullImage({ image, credentials: account });
      expect(await images.pullImage({ image, credentials: { auth } })).to.equal(id);
    });

    it('that do not come are given up after a while, or when the caller does', async () => {
      const [slow, unwanted] = [registry.publicImage('slow'), registry.publicImage('unwanted')];
      const hold = registry.holdLayers();
      await using hasty = openEngine(engine, { imagePullProgressDeadlineMs: 500 });
      const failure = await failureOf(hasty.images.pullImage({ image: slow }));
      expect(failure.message).to.equal(`PullImage: pull of image "${slow}" made no progress within 0.5s`);
      const controller = new AbortController();
      const call = failureOf(images.pullImage({ image: unwanted, signal: controller.signal }));
      await eventually(async () => hold.waiting() > 1 || undefined);
      controller.abort();
      expect((await call).code).to.equal('cancelled');
      hold.release();
    });

    it('of sandboxes are fetched when they are not there', async () => {
      const image = registry.publicImage('pause');
      await using other = openEngine(engine, { sandboxImage: image });
      await failureOf(EnginePod.run(other.runtime, engine)); // It holds no program.
      expect(registry.pullsOf(image)).to.be.greaterThan(0);
    });

    it('are told with their name where a container runs from them', async () => {
      const pod = await EnginePod.run(runtime, engine);
      const { id: imageId = '' } = (await images.imageStatus(testImages.busybox)) ?? {};
      const id = await pod.start(runtime, 'one', 'true', { image: imageId });
      expect(await runtime.containerStatus(id)).to.include({
        image: testImages.busybox,
        imageRef: `legacyrt://${imageId}`,
      });
      expect((await runtime.listContainers({ id }))[0]?.imageRef).to.equal(imageId);
      await runtime.removePodSandbox(pod.id);
    });
  });

  it('is not ready for an agent that makes control groups in another way', async () => {
    await using other = openEngine(engine, { cgroupDriver: 'systemd' });
    const status = await other.runtime.status();
    expect(status).to.include({ isRuntimeReady: false, isNetworkReady: true });
    expect(status.conditions[0]?.message).to.equal(
      'misconfiguration: nodeagent cgroup driver: "systemd" is different from legacyrt cgroup driver: "cgroupfs"',
    );
  });

  it('kills a command that takes too long', async () => {
    const pod = await EnginePod.run(runtime, engine);
    const containerId = await pod.start(runtime, 'one', untilAsked);
    const command = ['sleep', '77'];
    await failureOf(runtime.execSync({ containerId, command, timeoutMs: 1000 }));
    await eventually(async () => {
      const { stdout } = await runtime.execSync({ containerId, command: ['ps'] });
      return Buffer.from(stdout).includes('sleep 77') ? undefined : true;
    });
    await runtime.removePodSandbox(pod.id);
  });
});

/** Kills a sandbox as a crash would. */
async function killSandbox({ endpoint }: TestEngine, id: string): Promise<void> {
  const socket = endpoint.replace('unix://', '');
  await askEngine({ socket, method: 'POST', path: `/containers/${id}/kill` });
}
