import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { StoredObject } from '../../../src/storage/index.ts';
import { openWatchCache, type WatchCache } from '../../../src/storage/watch-cache/index.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver } from './suite.ts';

const hourMs = 60 * 60_000;

/** What a cache over the store still knows when the store has forgotten it. */
export function describeResumption(openDriver: OpenDriver): void {
  describe('a watch cache over it', () => {
    let subject: Subject;
    let clock: ManualClock;
    let cache: WatchCache;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      clock = new ManualClock();
      cache = await openWatchCache({ storage: subject.storage, root: subject.prefix, clock });
    });
    afterEach(async () => {
      await cache[Symbol.asyncDispose]();
      await subject[Symbol.asyncDispose]();
    });

    /** Revisions of the events after a revision, up to another; the code of the error where there is none. */
    function eventsOf(folder: string, after: number, upTo: number): Promise<readonly number[] | string> {
      const seen: number[] = [];
      return new Promise((resolve) => {
        const prefix = subject.key(folder);
        const watch = cache.resource(prefix).watch(
          { prefix, afterRevision: after },
          {
            onEvent: ({ revision }) => {
              seen.push(revision);
              if (revision < upTo) return;
              watch.close();
              resolve(seen);
            },
            onError: ({ code }) => resolve(code),
          },
        );
      });
    }

    it('goes on from the last changes of each resource, however old', async () => {
      cache.resource(subject.key('quiet/'));
      let quiet: StoredObject = await subject.create('quiet/x', 0);
      const first = quiet.revision;
      const revisions: number[] = [];
      for (let i = 1; i <= 1000; i++) {
        quiet = await subject.update(quiet, i);
        revisions.push(quiet.revision);
      }
      clock.advance(hourMs);
      const { revision } = await subject.create('busy/x');
      await subject.storage.compact(revision);
      await cache.waitForRevision(revision, { timeoutMs: hourMs });
      expect(await eventsOf('quiet/', first, quiet.revision)).to.deep.equal(revisions);
      expect(await eventsOf('quiet/', first - 1, quiet.revision)).to.equal('compacted');
    });
  });
}
