import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/index.ts';
import {
  collectImages,
  createImageGarbageCollector,
  ImageCollectionError,
  type ImageGarbageCollector,
} from '../../../../src/nodeagent/images/index.ts';
import type { Container } from '../../../../src/nodeagent/runtime/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { FakeImages, imageOf, RecordedEvents } from './fake-images.ts';

const minimumImageAgeMs = 120_000;
const config = {
  imageGcHighThresholdPercent: 85,
  imageGcLowThresholdPercent: 80,
  minimumImageAgeMs,
  podInfraContainerImage: 'pause:1',
};

const runningFrom = (imageRef: string): Container => ({
  id: 'c',
  podSandboxId: 's',
  metadata: { name: 'c', attempt: 0 },
  image: imageRef,
  imageRef,
  state: 'running',
  createdAtMs: 0,
  labels: {},
  annotations: {},
});

describe('createImageGarbageCollector', () => {
  let images: FakeImages;
  let events: RecordedEvents;
  let clock: ManualClock;
  let containers: Container[];
  let availableBytes: number;
  let collector: ImageGarbageCollector;

  const open = (overrides: Partial<typeof config> = {}): ImageGarbageCollector =>
    createImageGarbageCollector({
      images,
      runtime: { listContainers: async () => containers },
      config: { ...config, ...overrides },
      events,
      measureDisk: async () => ({ capacityBytes: 1000, availableBytes }),
      clock,
      logger: silentLogger,
    });
  const add = (id: string, sizeBytes = 10): void => {
    images.present.set(`${id}:1`, imageOf(id, { tags: [`${id}:1`], sizeBytes }));
  };

  beforeEach(() => {
    images = new FakeImages();
    events = new RecordedEvents();
    clock = new ManualClock();
    clock.advance(1_000_000);
    containers = [];
    availableBytes = 500;
    collector = open();
  });

  it('removes nothing below the high threshold', async () => {
    add('a');
    availableBytes = 160;
    await collector.collect();
    expect(images.removed).to.deep.equal([]);
  });

  it('frees down to the low threshold from the high one on, longest unused images first', async () => {
    for (const id of ['late', 'early', 'never']) add(id, 30);
    containers = [runningFrom('early')];
    await collector.collect();
    clock.advance(minimumImageAgeMs);
    containers = [runningFrom('late')];
    await collector.collect();
    clock.advance(minimumImageAgeMs);
    containers = [];
    availableBytes = 159;
    await collector.collect();
    expect(images.removed).to.deep.equal(['never', 'early']);
    expect(events.take()).to.deep.equal([]);
  });

  it('keeps images of containers by id and name, that of sandboxes, and young ones', async () => {
    for (const id of ['byId', 'byName', 'pause', 'old']) add(id);
    containers = [runningFrom('byId'), runningFrom('byName:1')];
    await collector.collect();
    clock.advance(1);
    add('young');
    expect(await collector.removeUnused()).to.equal(10);
    expect(images.removed).to.deep.equal(['old']);
    clock.advance(minimumImageAgeMs);
    await collector.removeUnused();
    expect(images.removed).to.deep.equal(['old', 'young']);
  });

  it('says that it could not free enough', async () => {
    add('a');
    availableBytes = 0;
    const message =
      'failed to garbage collect required amount of images. Wanted to free 200 bytes, but freed 10 bytes';
    const failure = await collector.collect().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ImageCollectionError).with.property('message', message);
    expect(images.removed).to.deep.equal(['a']);
    expect(events.take()).to.deep.equal([`Warning FreeDiskSpaceFailed ${message}`]);
  });

  it('goes on after an image that stays, and says why it does, however much was freed', async () => {
    add('stuck');
    add('a', 300);
    availableBytes = 0;
    const message =
      'wanted to free 200 bytes, but freed 300 bytes space with errors in image deletion: rpc error: code = Unknown desc = stuck';
    const failure = await collector.collect().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ImageCollectionError).with.property('message', message);
    expect(images.removed).to.deep.equal(['a']);
    expect(events.take()).to.deep.equal([]);
  });

  it('is switched off by a high threshold of 100', async () => {
    add('a');
    availableBytes = 0;
    await open({ imageGcHighThresholdPercent: 100 }).collect();
    expect(images.removed).to.deep.equal([]);
  });

  it('reports a disk without capacity and a runtime that names none', async () => {
    const empty = createImageGarbageCollector({
      images,
      runtime: { listContainers: async () => [] },
      config,
      events,
      measureDisk: async () => ({ capacityBytes: 0, availableBytes: 0 }),
      clock,
      logger: silentLogger,
    });
    const failure = await empty.collect().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ImageCollectionError);
    expect(events.take()).to.deep.equal([
      'Warning InvalidDiskCapacity invalid capacity 0 on image filesystem',
    ]);
    images.mountpoint = '';
    expect(await collector.collect().catch((error: unknown) => error)).to.be.instanceOf(ImageCollectionError);
  });

  it('frees as many bytes as asked, no more than it must', async () => {
    for (const id of ['a', 'b', 'c']) add(id, 10);
    expect(await collector.freeBytes(15)).to.equal(20);
    expect(images.removed).to.have.length(2);
  });

  it('counts ages from when images were listed, too', async () => {
    add('before');
    await collector.images();
    clock.advance(60_000);
    add('young');
    await collector.images();
    clock.advance(minimumImageAgeMs - 1);
    await collector.removeUnused();
    expect(images.removed).to.deep.equal(['before']);
    clock.advance(1);
    await collector.removeUnused();
    expect(images.removed).to.deep.equal(['before', 'young']);
  });

  it('lists images by size, and asks again after half a minute or a failure', async () => {
    add('small', 1);
    add('large', 2);
    const ids = async () => (await collector.images()).map(({ id }) => id);
    expect(await ids()).to.deep.equal(['large', 'small']);
    clock.advance(30_000);
    await ids();
    expect(images.lists).to.equal(1);
    clock.advance(1);
    await ids();
    expect(images.lists).to.equal(2);
  });
});

describe('collectImages', () => {
  it('collects every five minutes, and makes the second failure in a row an event', async () => {
    const clock = new ManualClock();
    const events = new RecordedEvents();
    const stop = new AbortController();
    const outcomes = [false, false, true, false, false];
    let runs = 0;
    const collector = {
      collect: async () => {
        if (outcomes[runs++] === false) throw new ImageCollectionError(`run ${runs}`);
      },
    };
    const done = collectImages({ collector, events, clock, logger: silentLogger, signal: stop.signal });
    for (let turn = 1; turn < outcomes.length; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(runs).to.equal(turn);
      clock.advance(300_000);
    }
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await done;
    expect(events.take()).to.deep.equal(['Warning ImageGCFailed run 2', 'Warning ImageGCFailed run 5']);
  });
});
