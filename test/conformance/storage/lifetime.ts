import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { rejectsWith } from './expect.ts';
import { openSubject, type Subject } from './subject.ts';
import type { OpenDriver } from './suite.ts';
import { makeValue } from './values.ts';

/** What closing promises. */
export function describeLifetime(openDriver: OpenDriver): void {
  describe('closing', () => {
    let subject: Subject;
    let storage: Storage;
    beforeEach(async () => {
      subject = await openSubject(openDriver);
      storage = subject.storage;
    });
    afterEach(() => subject[Symbol.asyncDispose]());

    const close = async (): Promise<void> => storage[Symbol.asyncDispose]();

    it('answers pings until it is closed', async () => {
      await storage.ping();
      await close();
      await rejectsWith('unavailable', () => storage.ping());
    });

    it('refuses everything afterwards', async () => {
      await close();
      const { prefix, start } = subject;
      const a = subject.key('a');
      await rejectsWith('closed', () => storage.get(a));
      await rejectsWith('closed', () => storage.range({ prefix }));
      await rejectsWith('closed', () => storage.create(a, makeValue('a')));
      await rejectsWith('closed', () => storage.update(a, start, makeValue('a')));
      await rejectsWith('closed', () => storage.delete(a, start));
      await rejectsWith('closed', () => storage.currentRevision());
      await rejectsWith('closed', () => storage.advanceRevision(start + 1));
      await rejectsWith('closed', () => storage.compact(start));
      await rejectsWith('closed', () => storage.stats());
      const sink = { onEvents() {}, onProgress() {}, onError() {} };
      await rejectsWith('closed', async () => storage.watch({ prefix, afterRevision: start }, sink));
    });

    it('ends watches and may be repeated', async () => {
      const watch = subject.watch();
      await watch.reaches(subject.start);
      await close();
      await close();
      expect(watch.errors.map(({ code }) => code)).to.deep.equal(['closed']);
    });

    it('settles writes that were under way', async () => {
      const writes = Array.from({ length: 20 }, (_, i) =>
        storage.create(subject.key(`${i}`), makeValue('x')),
      );
      const closing = close();
      const results = await Promise.allSettled(writes);
      await closing;
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason.code).to.equal('closed');
        else expect(result.value.kind).to.equal('ok');
      }
    });
  });
}
