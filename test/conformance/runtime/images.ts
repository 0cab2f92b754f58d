import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { testImages } from '../../support/containerd-images.ts';
import { codeOf, useSubject } from './subject.ts';
import type { OpenRuntime } from './suite.ts';

/** Images that are present, and ones that are not. */
export function describeImages(open: OpenRuntime): void {
  describe('images', () => {
    const subject = useSubject(open);
    afterEach(() => subject().target.importImages());

    it('are listed with names and sizes', async () => {
      const images = await subject().images.listImages();
      expect(images.flatMap(({ tags }) => tags)).to.include.members(Object.values(testImages));
      for (const { id, sizeBytes } of images) {
        expect(id).to.match(/^sha256:[0-9a-f]{64}$/);
        expect(sizeBytes).to.be.greaterThan(100_000);
      }
    });

    it('are found by name and by id', async () => {
      const { images } = subject();
      const byName = await images.imageStatus(testImages.busybox);
      expect(byName?.tags).to.deep.equal([testImages.busybox]);
      expect(await images.imageStatus(byName?.id ?? '')).to.deep.equal(byName);
      expect(await images.imageStatus('localhost/no-such-image:1')).to.equal(undefined);
    });

    it('are removed, and removed again without harm', async () => {
      const { images } = subject();
      const image = await images.imageStatus(testImages.spare);
      await images.removeImage(image?.id ?? '');
      expect(await images.imageStatus(testImages.spare)).to.equal(undefined);
      await images.removeImage(testImages.spare);
      expect((await images.listImages()).flatMap(({ tags }) => tags)).to.not.include(testImages.spare);
    });

    it('that cannot be fetched say so', async () => {
      // Nothing listens on the discard port.
      const call = subject().images.pullImage({ image: '127.0.0.1:9/none:1' });
      expect(await codeOf(call)).to.be.oneOf(['failed', 'not-found', 'unavailable']);
    });

    it('are kept on file systems that are told', async () => {
      const filesystems = await subject().images.imageFsInfo();
      expect(filesystems).to.have.length.greaterThan(0);
      for (const { mountpoint, usedBytes } of filesystems) {
        expect(mountpoint).to.match(/^\//);
        expect(usedBytes).to.be.at.least(0);
      }
    });
  });
}
