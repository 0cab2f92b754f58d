import { expect } from 'chai';
import type { Storage, StorageEvent, StoredObject } from '../../../src/storage/index.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { readChecksum } from './checked-value.ts';

/** All events of the store's objects. Every value was made by `makeCheckedValue`. */
export async function readEvents(storage: Storage): Promise<readonly StorageEvent[]> {
  const watch = new WatchRecorder(storage, { prefix: '/registry/', afterRevision: 1 });
  await watch.reaches(await storage.currentRevision());
  watch.close();
  return watch.events;
}

/** Asserts that revisions have no holes, every value is whole, and replaying the events gives the objects. */
export function checkState(objects: readonly StoredObject[], events: readonly StorageEvent[]): void {
  const replayed = new Map<string, number>();
  let next = 2;
  for (const { kind, object, revision, previous } of events) {
    expect(revision).to.equal(next++);
    expect(previous?.revision).to.equal(replayed.get(object.key));
    readChecksum(object.bytes, revision);
    if (kind === 'delete') replayed.delete(object.key);
    else replayed.set(object.key, revision);
  }
  for (const { bytes, revision } of objects) readChecksum(bytes, revision);
  expect(objects.map(({ key, revision }) => [key, revision])).to.deep.equal(
    [...replayed].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
