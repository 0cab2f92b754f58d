import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { Container, Secret } from '../../../src/apis/types/core-v1.ts';
import { silentLogger, systemClock } from '../../../src/base/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { createCriRuntime } from '../../../src/nodeagent/cri/index.ts';
import {
  createImageGarbageCollector,
  createImagePuller,
  type ImagePullerOptions,
  StartError,
} from '../../../src/nodeagent/images/index.ts';
import type { ContainerRuntime, Image } from '../../../src/nodeagent/runtime/index.ts';
import { type Containerd, startContainerd } from '../../support/containerd.ts';
import { testImages } from '../../support/containerd-images.ts';
import { eventually } from '../../support/eventually.ts';
import { type ImageRegistry, startImageRegistry } from '../../support/image-registry.ts';
import { requireContainerd } from '../../support/require-containerd.ts';
import { containerOf, podOf } from '../../unit/nodeagent/container-config/pods.ts';
import { RecordedEvents } from '../../unit/nodeagent/images/fake-images.ts';

const account = { username: 'robot', password: 'a:b c' };
const config = { serializeImagePulls: true, registryQps: 0, registryBurst: 0 };
const sandboxConfig = { metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 0 } };

function secretFor(host: string, login: { username: string; password: string }): Secret {
  const auth = Buffer.from(`${login.username}:${login.password}`).toString('base64');
  const content = JSON.stringify({ auths: { [`http://${host}/v2/`]: { auth } } });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', creationTimestamp: null },
    type: 'orch.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(content).toString('base64') },
  };
}

describe('images, pulled by containerd from a registry', () => {
  let containerd: Containerd | undefined;
  let driver: ContainerRuntime;
  let registry: ImageRegistry;
  let events: RecordedEvents;

  requireContainerd();
  before(async () => {
    containerd = await startContainerd();
    driver = createCriRuntime({ endpoint: containerd.endpoint, requestTimeoutMs: 20_000 });
    registry = await startImageRegistry(account);
  });
  after(async () => {
    await registry?.[Symbol.asyncDispose]();
    await driver?.[Symbol.asyncDispose]();
    await containerd?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    events = new RecordedEvents();
  });

  const pullWith =
    (options: Partial<ImagePullerOptions> = {}) =>
    (container: Partial<Container>, pullSecrets: readonly Secret[] = []): Promise<Image> =>
      createImagePuller({
        images: driver.images,
        events,
        config,
        dialect: orchDialect,
        clock: systemClock,
        logger: silentLogger,
        ...options,
      }).ensure({
        pod: podOf(),
        container: containerOf(container),
        fieldPath: 'spec.containers{c}',
        sandboxConfig,
        pullSecrets,
      });
  const pull = pullWith();

  async function failureOf(pulling: Promise<unknown>): Promise<StartError> {
    const failure = await pulling.catch((error: unknown) => error);
    if (!(failure instanceof StartError)) throw new Error(`not a failed start: ${failure}`);
    return failure;
  }

  it('are fetched once with policy IfNotPresent, with the user that they start as', async () => {
    const image = registry.publicImage('once');
    const first = await pull({ image, imagePullPolicy: 'IfNotPresent' });
    const requests = registry.pullsOf(image);
    expect(first).to.include({ userId: 1000, username: '' });
    expect(first.tags).to.deep.equal([image]);
    expect((await pull({ image, imagePullPolicy: 'IfNotPresent' })).id).to.equal(first.id);
    expect(registry.pullsOf(image)).to.equal(requests);
    const [pulling, pulled, present] = events.take();
    expect(pulling).to.equal(`Normal Pulling Pulling image "${image}"`);
    expect(pulled).to.match(/^Normal Pulled Successfully pulled image "[^"]+" in [0-9.]+m?s$/);
    expect(present).to.equal(`Normal Pulled Container image "${image}" already present on machine`);
  });

  it('are asked for at the registry each time with policy Always', async () => {
    const image = registry.publicImage('always');
    await pull({ image, imagePullPolicy: 'Always' });
    const requests = registry.pullsOf(image);
    await pull({ image, imagePullPolicy: 'Always' });
    expect(registry.pullsOf(image)).to.be.greaterThan(requests);
  });

  it('are never asked for with policy Never', async () => {
    const image = registry.publicImage('never');
    expect((await failureOf(pull({ image, imagePullPolicy: 'Never' }))).reason).to.equal('ErrImageNeverPull');
    expect(registry.pullsOf(image)).to.equal(0);
  });

  it('of a private repository need the right login', async () => {
    const image = registry.privateImage('team/app');
    const denied = (await failureOf(pull({ image }))).message;
    expect(denied).to.match(
      new RegExp(`^rpc error: code = Unknown desc = failed to pull and unpack image "${image}": `),
    );
    const wrong = secretFor(registry.host, { ...account, password: 'wrong' });
    const failure = await failureOf(pull({ image }, [wrong]));
    expect(failure.reason).to.equal('ErrImagePull');
    expect(failure.message).to.include('rpc error: code = Unknown desc = ').and.not.include('wrong');
    expect(events.take()).to.include(`Warning Failed Failed to pull image "${image}": ${failure.message}`);
    const right = secretFor(registry.host, account);
    expect(
      (await pull({ image }, [secretFor('other.example.com', account), wrong, right])).tags,
    ).to.deep.equal([image]);
  });

  it('that the registry does not have, or of none, cannot be pulled', async () => {
    const missing = `${registry.host}/public/missing:1`;
    expect((await failureOf(pull({ image: missing }))).message).to.match(
      /^rpc error: code = NotFound desc = failed to pull and unpack image .*: not found$/,
    );
    expect((await failureOf(pull({ image: 'localhost:9/busybox' }))).message).to.match(
      /^rpc error: code = Unknown desc = failed to pull and unpack image "localhost:9\/busybox:latest": .*connection refused$/,
    );
  });

  for (const [serializeImagePulls, most] of [
    [true, 1],
    [false, 2],
  ] as const) {
    it(`are pulled ${most} at a time with serialize-image-pulls=${serializeImagePulls}`, async () => {
      const puller = createImagePuller({
        images: driver.images,
        events,
        config: { ...config, serializeImagePulls },
        dialect: orchDialect,
        clock: systemClock,
        logger: silentLogger,
      });
      const held = registry.holdLayers();
      const names = ['x', 'y'].map((name) => registry.publicImage(`${name}-${most}`));
      const all = names.map((image) =>
        puller.ensure({
          pod: podOf(),
          container: containerOf({ image }),
          fieldPath: 'spec.containers{c}',
          sandboxConfig,
          pullSecrets: [],
        }),
      );
      await eventually(async () => (held.waiting() === most ? true : undefined));
      expect(names.filter((image) => registry.pullsOf(image) > 0)).to.have.length(most);
      held.release();
      await Promise.all(all);
    });
  }

  it('are removed when nobody uses them, but for that of sandboxes', async () => {
    await pull({ image: registry.publicImage('unused') });
    const collector = createImageGarbageCollector({
      images: driver.images,
      runtime: driver.runtime,
      config: {
        imageGcHighThresholdPercent: 0,
        imageGcLowThresholdPercent: 0,
        minimumImageAgeMs: 0,
        podInfraContainerImage: testImages.pause,
      },
      events,
      clock: systemClock,
      logger: silentLogger,
    });
    // A disk cannot be emptied by removing images alone.
    const failure = await collector.collect().catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/^failed to garbage collect/);
    const left = await driver.images.listImages();
    expect(left.flatMap(({ tags }) => tags)).to.deep.equal([testImages.pause]);
  });
});
