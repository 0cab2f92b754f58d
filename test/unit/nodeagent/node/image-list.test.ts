import { expect } from 'chai';
import { ImageList, nodeImages } from '../../../../src/nodeagent/node/image-list.ts';
import type { Image } from '../../../../src/nodeagent/runtime/index.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

const image = (name: string, sizeBytes: number, digests: string[] = []): Image => ({
  id: name,
  tags: [name],
  digests,
  sizeBytes,
  userId: undefined,
  username: '',
});

describe('nodeImages', () => {
  const images = [image('small', 1), image('large', 3), image('middle', 2)];

  it('shows the largest first', () => {
    expect(nodeImages(images, -1)).to.deep.equal([
      { names: ['large'], sizeBytes: 3 },
      { names: ['middle'], sizeBytes: 2 },
      { names: ['small'], sizeBytes: 1 },
    ]);
  });

  it('shows no more than it may', () => {
    expect(nodeImages(images, 1).map(({ names }) => names)).to.deep.equal([['large']]);
    expect(nodeImages(images, 0)).to.deep.equal([]);
  });

  it('shows five names, digests first', () => {
    const [shown] = nodeImages([image('t', 1, ['a', 'b', 'c', 'd', 'e'])], -1);
    expect(shown?.names).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('ImageList', () => {
  const make = (images: () => Promise<readonly Image[]>) => {
    const clock = new ManualClock();
    const logger = createRecordingLogger();
    return { clock, logger, list: new ImageList({ images, limit: 50, clock, logger }) };
  };

  it('keeps what it knew while the runtime is away, and says so once', async () => {
    let isAway = false;
    const { list, logger, clock } = make(() =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve([image('a', 1)]),
    );
    await list.refresh();
    isAway = true;
    clock.advance(30_000);
    await list.refresh();
    await list.refresh();
    expect(list.shown).to.have.length(1);
    expect(logger.lines).to.have.length(1);
  });

  it('asks again after half a minute only, once it has an answer', async () => {
    let asked = 0;
    const { list, clock } = make(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve([image('a', 1)]);
    });
    await list.refresh();
    await list.refresh();
    clock.advance(29_999);
    await list.refresh();
    expect(asked).to.equal(2);
    clock.advance(1);
    await list.refresh();
    expect(asked).to.equal(3);
  });

  it('waits for a runtime that hangs for a while only', async () => {
    const { list, clock } = make(() => new Promise(() => {}));
    const refreshed = list.refresh();
    clock.advance(2000);
    await refreshed;
    expect(list.shown).to.deep.equal([]);
  });
});
