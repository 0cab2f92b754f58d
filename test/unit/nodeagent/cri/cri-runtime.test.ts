import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type CriRuntimeOptions, createCriRuntime } from '../../../../src/nodeagent/cri/index.ts';
import type { ContainerRuntime } from '../../../../src/nodeagent/runtime/index.ts';
import { codeOf, failureOf } from '../../../conformance/runtime/subject.ts';
import { eventually } from '../../../support/eventually.ts';
import { type FakeRuntime, startFakeRuntime } from './fake-runtime.ts';

const requestTimeoutMs = 10_000;

describe('createCriRuntime', () => {
  const disposables: AsyncDisposable[] = [];
  let fake: FakeRuntime;
  let driver: ContainerRuntime;

  const keep = <T extends AsyncDisposable>(it: T): T => {
    disposables.push(it);
    return it;
  };
  const serve = async (versions: readonly string[], path?: string): Promise<FakeRuntime> =>
    keep(await startFakeRuntime(versions, path));
  const open = (options: Partial<CriRuntimeOptions> = {}): ContainerRuntime =>
    keep(createCriRuntime({ endpoint: fake.endpoint, requestTimeoutMs, ...options }));

  beforeEach(async () => {
    fake = await serve(['v1', 'v1alpha2']);
    driver = open();
  });
  afterEach(async () => {
    for (const each of disposables.splice(0).reverse()) await each[Symbol.asyncDispose]();
  });

  describe('version of the interface', () => {
    const pathsOf = ({ received }: FakeRuntime): readonly string[] => received.map(({ path }) => path);

    it('is v1 where that is spoken', async () => {
      await driver.runtime.version();
      await driver.images.listImages();
      expect(pathsOf(fake)).to.deep.equal([
        '/runtime.v1.RuntimeService/Version',
        '/runtime.v1.ImageService/ListImages',
      ]);
    });

    it('is v1alpha2 where only that is spoken', async () => {
      fake = await serve(['v1alpha2']);
      driver = open();
      await driver.runtime.listContainers();
      await driver.images.listImages();
      expect(pathsOf(fake)).to.deep.equal([
        '/runtime.v1alpha2.RuntimeService/ListContainers',
        '/runtime.v1alpha2.ImageService/ListImages',
      ]);
    });

    it('is found by failures of the runtime too', async () => {
      fake = await serve(['v1alpha2']);
      driver = open();
      fake.answers.set('StartContainer', status.NOT_FOUND);
      expect(await codeOf(driver.runtime.startContainer('x'))).to.equal('not-found');
      await driver.runtime.version();
      expect(fake.received).to.have.length(2);
    });

    it('is not known where neither is spoken', async () => {
      fake = await serve([]);
      driver = open();
      const failure = await failureOf(driver.runtime.version());
      expect(failure).to.include({ code: 'unsupported', isRetriable: false });
    });

    it('is found again when another runtime takes the place of the first', async () => {
      const path = fake.endpoint.slice('unix://'.length);
      await driver.runtime.version();
      fake.stop();
      expect(await codeOf(driver.runtime.version())).to.equal('unavailable');
      const successor = await serve(['v1alpha2'], path);
      await eventually(() => driver.runtime.version().catch(() => undefined));
      expect(pathsOf(successor)).to.deep.equal(['/runtime.v1alpha2.RuntimeService/Version']);
    });

    it('may be restricted', async () => {
      driver = open({ apiVersions: ['v1alpha2'] });
      await driver.runtime.version();
      expect(pathsOf(fake)).to.deep.equal(['/runtime.v1alpha2.RuntimeService/Version']);
    });
  });

  describe('deadline', () => {
    const sandboxConfig = { metadata: { name: 'p', namespace: 'n', uid: 'u', attempt: 0 } };
    const cases: Readonly<Record<string, [(runtime: ContainerRuntime) => Promise<unknown>, number]>> = {
      'of most calls is the request timeout': [({ runtime }) => runtime.listContainers(), 10_000],
      'of a new sandbox is twice that': [
        ({ runtime }) => runtime.runPodSandbox({ config: sandboxConfig }),
        20_000,
      ],
      'of a stop is later by the time that the container has': [
        ({ runtime }) => runtime.stopContainer('x', { timeoutMs: 30_000 }),
        40_000,
      ],
      'of a command is later by its own time': [
        ({ runtime }) => runtime.execSync({ containerId: 'x', command: ['true'], timeoutMs: 4500 }),
        15_000,
      ],
      'of a command without a time of its own is never': [
        ({ runtime }) => runtime.execSync({ containerId: 'x', command: ['true'] }),
        Number.POSITIVE_INFINITY,
      ],
      'of a pull is never': [({ images }) => images.pullImage({ image: 'a' }), Number.POSITIVE_INFINITY],
    };
    for (const [name, [call, expected]] of Object.entries(cases)) {
      it(name, async () => {
        fake.answers.set('RunPodSandbox', { pod_sandbox_id: 'x' });
        fake.answers.set('PullImage', { image_ref: 'x' });
        await call(driver);
        const [{ timeLeftMs } = { timeLeftMs: 0 }] = fake.received;
        if (Number.isFinite(expected)) expect(timeLeftMs).to.be.within(expected - 5000, expected);
        else expect(timeLeftMs).to.equal(expected);
      });
    }

    it('that passes fails the call', async () => {
      fake.answers.set('ListContainers', 'hang');
      const failure = await failureOf(open({ requestTimeoutMs: 50 }).runtime.listContainers());
      expect(failure).to.include({ code: 'timeout', isRetriable: true });
    });
  });

  it('sends times of stops and commands in whole seconds, rounded up', async () => {
    await driver.runtime.stopContainer('x', { timeoutMs: 1001 });
    await driver.runtime.execSync({ containerId: 'x', command: ['true'], timeoutMs: 1 });
    expect(fake.received.map(({ message }) => message.timeout)).to.deep.equal([2, 1]);
  });

  it('asks another endpoint for images when there is one', async () => {
    const images = await serve(['v1alpha2']);
    driver = open({ imageEndpoint: images.endpoint });
    await driver.runtime.version();
    await driver.images.listImages();
    expect([fake.received.length, images.received.length]).to.deep.equal([1, 1]);
  });

  it('gives a pull up when the caller says so', async () => {
    fake.answers.set('PullImage', 'hang');
    const controller = new AbortController();
    const pull = codeOf(driver.images.pullImage({ image: 'a', signal: controller.signal }));
    await eventually(async () => (fake.received.length > 0 ? true : undefined));
    controller.abort();
    expect(await pull).to.equal('cancelled');
  });

  it('ends what is under way with closed when it is closed', async () => {
    fake.answers.set('ListContainers', 'hang');
    const call = codeOf(driver.runtime.listContainers());
    await eventually(async () => (fake.received.length > 0 ? true : undefined));
    await driver[Symbol.asyncDispose]();
    expect(await call).to.equal('closed');
  });

  it('takes answers of 15 MiB and refuses larger ones than 16 MiB', async () => {
    const mebibyte = 1024 * 1024;
    const images = (bytes: number) => ({ images: [{ id: 'x'.repeat(bytes) }] });
    fake.answers.set('ListImages', images(15 * mebibyte));
    expect((await driver.images.listImages())[0]?.id).to.have.length(15 * mebibyte);
    fake.answers.set('ListImages', images(16 * mebibyte + 1));
    expect(await failureOf(driver.images.listImages())).to.include({ code: 'too-large', isRetriable: false });
  });

  it('refuses to send more than 16 MiB', async () => {
    const metadata = { name: 'p', namespace: 'n', uid: 'u', attempt: 0 };
    const annotations = { large: 'x'.repeat(16 * 1024 * 1024) };
    const call = driver.runtime.runPodSandbox({ config: { metadata, annotations } });
    expect(await failureOf(call)).to.include({ code: 'too-large', isRetriable: false });
    expect(fake.received).to.deep.equal([]);
  });

  describe('answers that make no sense', () => {
    it('fail the call and not the program', async () => {
      fake.answers.set('ListContainers', Buffer.from([0xff, 0xff, 0xff, 0x01]));
      expect(await codeOf(driver.runtime.listContainers())).to.equal('failed');
    });

    it('are refused: ids that are empty, addresses that are none', async () => {
      const metadata = { name: 'p', namespace: 'n', uid: 'u', attempt: 0 };
      const streams = { containerId: 'x', tty: false, stdin: false, stdout: true, stderr: true };
      expect(await codeOf(driver.runtime.runPodSandbox({ config: { metadata } }))).to.equal('failed');
      expect(await codeOf(driver.images.pullImage({ image: 'a' }))).to.equal('failed');
      for (const url of ['', 'file:///etc/passwd', '/relative']) {
        fake.answers.set('Attach', { url });
        expect(await codeOf(driver.runtime.attachUrl(streams))).to.equal('failed');
      }
    });

    it('are read as far as they go: messages left out, numbers of newer versions', async () => {
      fake.answers.set('ContainerStatus', { status: { id: 'x', state: 99, mounts: [{ propagation: 7 }] } });
      fake.answers.set('PodSandboxStatus', { status: { id: 'y', state: 99 } });
      expect(await driver.runtime.containerStatus('x')).to.deep.include({
        state: 'unknown',
        metadata: { name: '', attempt: 0 },
        image: '',
        startedAtMs: undefined,
      });
      expect(await driver.runtime.podSandboxStatus('y')).to.deep.include({
        state: 'not-ready',
        ips: [],
        namespaces: { network: 'pod', pid: 'pod', ipc: 'pod' },
      });
      expect(await driver.runtime.status()).to.deep.equal({
        conditions: [],
        isRuntimeReady: false,
        isNetworkReady: false,
      });
      expect(await driver.runtime.containerStats('x')).to.equal(undefined);
    });
  });

  describe('codes', () => {
    const cases: readonly [number, string, boolean][] = [
      [status.NOT_FOUND, 'not-found', false],
      [status.ALREADY_EXISTS, 'already-exists', false],
      [status.INVALID_ARGUMENT, 'invalid', false],
      [status.PERMISSION_DENIED, 'denied', false],
      [status.UNKNOWN, 'failed', false],
      [status.INTERNAL, 'failed', false],
      [status.UNIMPLEMENTED, 'unsupported', false],
      [status.DEADLINE_EXCEEDED, 'timeout', true],
      [status.UNAVAILABLE, 'unavailable', true],
    ];
    for (const [code, expected, isRetriable] of cases) {
      it(`of ${status[code]} is ${expected}`, async () => {
        fake.answers.set('StartContainer', code);
        const failure = await failureOf(driver.runtime.startContainer('x'));
        expect(failure).to.include({ code: expected, isRetriable });
        expect(failure.message).to.match(/^StartContainer: /);
      });
    }
  });

  it('refuses timeouts that are none', () => {
    for (const each of [0, -1, Number.NaN])
      expect(() => open({ requestTimeoutMs: each })).to.throw(RangeError);
  });
});
