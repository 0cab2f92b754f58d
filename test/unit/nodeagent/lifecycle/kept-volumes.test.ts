import { expect } from 'chai';
import { beginWorld, containerOf, podOf } from './subject.ts';

describe('volumes of pods that have ended', () => {
  const done = podOf('u', {
    spec: { restartPolicy: 'Never', containers: [containerOf('c0', 'job exit=0@500')] },
  });

  for (const keepsVolumes of [false, true]) {
    it(`${keepsVolumes ? 'stay mounted until the pod is removed' : 'go at once'} with keepsVolumes ${keepsVolumes}`, async () => {
      const world = await beginWorld({ parts: () => ({ keepsVolumes }) });
      world.put('file', done);
      await world.time.pass(10_000);
      expect(world.life?.statuses.get('u')?.phase).to.equal('Succeeded');
      expect([...world.holdings.mounts]).to.deep.equal(keepsVolumes ? ['u'] : []);
      world.remove('file', 'u');
      await world.time.pass(60_000);
      expect([...world.holdings.mounts]).to.deep.equal([]);
    });
  }
});
