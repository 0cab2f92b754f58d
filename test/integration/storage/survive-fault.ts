import { expect } from 'chai';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { WatchRecorder } from '../../conformance/storage/recorder.ts';
import { eventually } from '../../support/eventually.ts';
import { StorageLoad } from './storage-load.ts';

/** Writes that must succeed for service to count as back. */
export const writesOfService = 50;

export interface Faulty {
  readonly endpoints: readonly string[];
  readonly prefix: string;
}

/** What runs while a fault happens. */
export interface UnderFault {
  readonly storage: Storage;
  readonly watch: WatchRecorder;
}

/** Writes and watches while `fault` happens, then holds what was acknowledged against what there is. */
export async function surviveFault(
  { endpoints, prefix }: Faulty,
  fault: (load: StorageLoad, running: UnderFault) => Promise<void>,
): Promise<void> {
  await using storage = await openEtcdStorage({ endpoints, keyPrefix: prefix });
  const start = await storage.currentRevision();
  const watch = new WatchRecorder(storage, { prefix, afterRevision: start });
  const load = new StorageLoad(storage, prefix);
  try {
    await load.succeeds(writesOfService);
    await fault(load, { storage, watch });
    await load.succeeds(writesOfService);
  } finally {
    await load.stop();
  }
  expect(load.surprises).to.deep.equal([]);
  const { objects, revision } = await eventually(() => storage.range({ prefix }).catch(() => undefined));
  await Promise.race([watch.reaches(revision), watch.fails()]);
  for (const { code } of watch.errors) expect(code).to.equal('compacted');
  load.check({ watch, objects, start });
}
