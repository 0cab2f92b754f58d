import { expect } from 'chai';
import { silentLogger } from '../../../../src/base/index.ts';
import { createOwnerQueue } from '../../../../src/controllers/workloads/owner-queue.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

describe('createOwnerQueue', () => {
  let end: AbortController;
  beforeEach(() => {
    end = new AbortController();
  });
  afterEach(() => end.abort());

  for (const { dependents, restMs } of [
    { dependents: 0, restMs: 0 },
    { dependents: 19, restMs: 0 },
    { dependents: 100, restMs: 5 },
    { dependents: 1000, restMs: 50 },
    { dependents: 100_000, restMs: 250 },
  ]) {
    it(`lets an owner of ${dependents} dependents rest for ${restMs} ms after each look`, async () => {
      const clock = new ManualClock();
      const owner: ApiObject = { apiVersion: 'v1', kind: 'Owner', metadata: { uid: 'u' } };
      const looks: string[] = [];
      const queue = createOwnerQueue(
        { clock, signal: end.signal, logger: silentLogger, queueMetrics: undefined },
        {
          informers: [],
          concurrency: 1,
          sync: async (namespace, name) => void looks.push(`${namespace}/${name}`),
          rests: {
            owners: { get: (namespace, name) => (namespace === 'n' && name === 'a' ? owner : undefined) },
            dependents: { controlledBy: (uid) => (uid === 'u' ? Array(dependents).fill(owner) : []) },
          },
        },
      );
      const once = async (): Promise<void> => {
        queue.add('n/a');
        await queue.whenIdle();
      };
      await once();
      queue.add('n/a');
      if (restMs > 0) {
        clock.advance(restMs - 1);
        expect(looks).to.deep.equal(['n/a']);
        clock.advance(1);
      }
      await eventually(async () => looks.length === 2 || undefined);
      queue.add('n/gone');
      await eventually(async () => looks.length === 3 || undefined);
      queue.add('n/gone');
      await eventually(async () => looks.length === 4 || undefined);
      expect(looks).to.deep.equal(['n/a', 'n/a', 'n/gone', 'n/gone']);
    });
  }
});
