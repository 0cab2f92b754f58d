import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import type { Container, Secret } from '../../../../src/apis/types/core-v1.ts';
import { silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  createImagePuller,
  type ImagePuller,
  type ImagePullerOptions,
  StartError,
} from '../../../../src/nodeagent/images/index.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { FakeImages, imageOf, RecordedEvents } from './fake-images.ts';

const config = { serializeImagePulls: false, registryQps: 0, registryBurst: 0 };
const sandboxConfig = { metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 0 } };
const full = 'r.example.com/app:1';

function secretFor(registry: string, username: string): Secret {
  const content = JSON.stringify({ [registry]: { username, password: 'p' } });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', creationTimestamp: null },
    type: 'orch.io/dockercfg',
    data: { '.dockercfg': Buffer.from(content).toString('base64') },
  };
}

describe('createImagePuller', () => {
  let images: FakeImages;
  let events: RecordedEvents;
  let clock: ManualClock;
  let puller: ImagePuller;

  const open = (options: Partial<ImagePullerOptions> = {}): ImagePuller =>
    createImagePuller({
      images,
      events,
      config,
      dialect: orchDialect,
      clock,
      logger: silentLogger,
      ...options,
    });

  beforeEach(() => {
    images = new FakeImages();
    events = new RecordedEvents();
    clock = new ManualClock();
    puller = open();
  });

  const ensure = (
    container: Partial<Container>,
    {
      uid = 'u-1',
      pullSecrets = [],
      signal,
    }: { uid?: string; pullSecrets?: Secret[]; signal?: AbortSignal } = {},
  ) =>
    puller.ensure({
      pod: podOf({}, { uid }),
      container: containerOf({ image: full, ...container }),
      fieldPath: 'spec.containers{c}',
      sandboxConfig,
      pullSecrets,
      signal,
    });

  /** Reason and message of the failure. */
  async function failureOf(ensuring: Promise<unknown>): Promise<string> {
    try {
      await ensuring;
    } catch (error) {
      if (error instanceof StartError) return `${error.reason}: ${error.message}`;
      throw error;
    }
    throw new Error('it did not fail');
  }
  const refusePulls = (): void => {
    images.onPull = async () => {
      throw new RuntimeError('failed', 'PullImage: no route');
    };
  };

  for (const imagePullPolicy of ['IfNotPresent', 'Never', undefined]) {
    it(`takes an image that is present with policy ${imagePullPolicy}`, async () => {
      images.present.set(full, imageOf('x'));
      expect((await ensure({ imagePullPolicy })).id).to.equal('x');
      expect(images.pulls).to.deep.equal([]);
      expect(events.take()).to.deep.equal([
        `Normal Pulled Container image "${full}" already present on machine`,
      ]);
    });
  }

  it('pulls an image that is missing, for the pod, and says how long it took', async () => {
    images.onPull = async () => clock.advance(1500);
    expect((await ensure({ imagePullPolicy: 'IfNotPresent' })).id).to.equal(`id of ${full}`);
    expect(images.pulls).to.have.length(1);
    expect(images.pulls[0]).to.include({ image: full, credentials: undefined });
    expect(images.pulls[0]?.podSandboxConfig).to.equal(sandboxConfig);
    expect(events.all[0]?.about).to.deep.include({ kind: 'pod', fieldPath: 'spec.containers{c}' });
    expect(events.take()).to.deep.equal([
      `Normal Pulling Pulling image "${full}"`,
      `Normal Pulled Successfully pulled image "${full}" in 1.5s`,
    ]);
  });

  it('pulls an image that is present with policy Always', async () => {
    images.present.set(full, imageOf('old'));
    expect((await ensure({ imagePullPolicy: 'Always' })).id).to.equal(`id of ${full}`);
  });

  it('asks for tag latest of a name without one, and shows the name as it was given', async () => {
    await ensure({ image: 'busybox' });
    expect(images.pulls[0]?.image).to.equal('docker.io/library/busybox:latest');
    expect(events.take()[0]).to.equal('Normal Pulling Pulling image "busybox"');
  });

  it('does not pull with policy Never', async () => {
    const message = `Container image "${full}" is not present with pull policy of Never`;
    expect(await failureOf(ensure({ imagePullPolicy: 'Never' }))).to.equal(`ErrImageNeverPull: ${message}`);
    expect(events.take()).to.deep.equal([
      `Warning ErrImageNeverPull ${message}`,
      'Warning Failed Error: ErrImageNeverPull',
    ]);
    expect(images.pulls).to.deep.equal([]);
  });

  it('refuses what is no name', async () => {
    const message =
      'Failed to apply default image tag "Bad//Image:x:y": couldn\'t parse image reference "Bad//Image:x:y": invalid reference format: repository name must be lowercase';
    expect(await failureOf(ensure({ image: 'Bad//Image:x:y' }))).to.equal(`InvalidImageName: ${message}`);
    expect(events.take()).to.deep.equal([
      `Warning InspectFailed ${message}`,
      'Warning Failed Error: InvalidImageName',
    ]);
  });

  it('says when the runtime cannot be asked', async () => {
    images.onInspect = () => {
      throw new RuntimeError('unavailable', 'ImageStatus: gone');
    };
    const message = `Failed to inspect image "${full}": rpc error: code = Unavailable desc = gone`;
    expect(await failureOf(ensure({}))).to.equal(`ImageInspectError: ${message}`);
    expect(events.take()).to.deep.equal([
      `Warning InspectFailed ${message}`,
      'Warning Failed Error: ImageInspectError',
    ]);
  });

  it('waits after failed pulls: 10 s, doubling to 5 min, by pod and image', async () => {
    refusePulls();
    const detail = 'rpc error: code = Unknown desc = no route';
    expect(await failureOf(ensure({}))).to.equal(`ErrImagePull: ${detail}`);
    expect(events.take()).to.deep.equal([
      `Normal Pulling Pulling image "${full}"`,
      `Warning Failed Failed to pull image "${full}": ${detail}`,
      'Warning Failed Error: ErrImagePull',
    ]);
    for (const waitMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
      clock.advance(waitMs - 1);
      expect(await failureOf(ensure({}))).to.equal(`ImagePullBackOff: Back-off pulling image "${full}"`);
      clock.advance(1);
      expect(await failureOf(ensure({}))).to.equal(`ErrImagePull: ${detail}`);
    }
    expect(await failureOf(ensure({ image: 'other' }))).to.match(/^ErrImagePull/);
    expect(await failureOf(ensure({}, { uid: 'u-2' }))).to.match(/^ErrImagePull/);
    clock.advance(600_001);
    await failureOf(ensure({}));
    clock.advance(10_000);
    expect(await failureOf(ensure({}))).to.match(/^ErrImagePull/);
  });

  it('says that a container waits when it is asked, else once that is shown', async () => {
    const waiting = [
      `Normal BackOff Back-off pulling image "${full}"`,
      'Warning Failed Error: ImagePullBackOff',
    ];
    refusePulls();
    await failureOf(ensure({}));
    events.take();
    clock.advance(4999);
    expect(events.take()).to.deep.equal([]);
    clock.advance(1);
    expect(events.take()).to.deep.equal(waiting);
    await failureOf(ensure({}));
    expect(events.take()).to.deep.equal(waiting);
    clock.advance(60_000);
    expect(events.take()).to.deep.equal([]);
    await failureOf(ensure({}));
    images.onPull = async () => {};
    images.present.set(full, imageOf('x'));
    await ensure({});
    events.take();
    clock.advance(60_000);
    expect(events.take()).to.deep.equal([]);
    expect(clock.timerCount).to.equal(0);
  });

  it('tries the logins that fit in turn, those of secrets first, and says why each failed', async () => {
    const credentialSources = [{ find: async () => [{ username: 'file', password: 'p' }] }];
    puller = open({ credentialSources });
    images.onPull = async ({ credentials }) => {
      if (credentials?.username === 'good') return;
      throw new RuntimeError('denied', `PullImage: not ${credentials?.username}`);
    };
    const pullSecrets = [secretFor('r.example.com', 'bad'), secretFor('s.example.com', 'good')];
    expect(await failureOf(ensure({}, { pullSecrets }))).to.equal(
      'ErrImagePull: [rpc error: code = PermissionDenied desc = not bad, rpc error: code = PermissionDenied desc = not file]',
    );
    await ensure({ image: 's.example.com/app:1' }, { pullSecrets });
    expect(images.pulls.at(-1)?.credentials).to.deep.equal({ username: 'good', password: 'p' });
  });

  it('fails a pull whose secret cannot be read', async () => {
    const secret = { ...secretFor('a', 'b'), data: { '.dockercfg': 'bm90IGpzb24=' } };
    expect(await failureOf(ensure({}, { pullSecrets: [secret] }))).to.equal(
      'ErrImagePull: registry credentials: not JSON',
    );
    expect(images.pulls).to.deep.equal([]);
  });

  it('pulls one at a time when it must, also after a failure, and side by side else', async () => {
    for (const [serializeImagePulls, most] of [
      [true, 1],
      [false, 3],
    ] as const) {
      puller = open({ config: { ...config, serializeImagePulls } });
      let [running, mostRunning] = [0, 0];
      images.onPull = async ({ image }) => {
        mostRunning = Math.max(mostRunning, ++running);
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        running -= 1;
        if (image.startsWith('a:')) throw new RuntimeError('failed', 'PullImage: no');
      };
      const all = ['a:1', 'b:1', 'c:1'].map((image) => ensure({ image, imagePullPolicy: 'Always' }));
      const results = await Promise.allSettled(all);
      expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'fulfilled']);
      expect(mostRunning).to.equal(most);
      clock.advance(1_000_000);
    }
  });

  it('pulls no faster than the registry options allow', async () => {
    puller = open({ config: { ...config, registryQps: 2, registryBurst: 3 } });
    const pullOnce = async (image: string): Promise<string> =>
      await ensure({ image }).then(
        () => 'pulled',
        (error: Error) => error.message,
      );
    const first = await Promise.all(['a:1', 'b:1', 'c:1', 'd:1'].map(pullOnce));
    expect(first).to.deep.equal(['pulled', 'pulled', 'pulled', 'pull QPS exceeded']);
    clock.advance(500);
    expect(await pullOnce('e:1')).to.equal('pulled');
    expect(await pullOnce('f:1')).to.equal('pull QPS exceeded');
  });

  it('gives up a pull that is no longer wanted, before its turn too', async () => {
    puller = open({ config: { ...config, serializeImagePulls: true } });
    const stop = new AbortController();
    images.onPull = async ({ signal }) => {
      stop.abort();
      signal?.throwIfAborted();
    };
    const both = [1, 2].map(() => failureOf(ensure({}, { signal: stop.signal })));
    for (const failure of await Promise.all(both)) expect(failure).to.match(/^ErrImagePull: .*abort/i);
    expect(images.pulls).to.have.length(1);
    clock.advance(6000);
    expect(events.take().filter((each) => /Failed|BackOff/.test(each))).to.deep.equal([]);
  });
});
