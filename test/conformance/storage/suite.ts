import { describe } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeHistory } from './history.ts';
import { describeLifetime } from './lifetime.ts';
import { describeReads } from './reads.ts';
import { describeWatch } from './watch.ts';
import { describeWrites } from './writes.ts';

/** Opens a new, empty store. The suite closes it. */
export type OpenDriver = () => Promise<Storage>;

/** Everything that the storage contract promises, for one driver. */
export function describeStorage(name: string, openDriver: OpenDriver): void {
  describe(`storage contract: ${name}`, () => {
    describeWrites(openDriver);
    describeReads(openDriver);
    describeHistory(openDriver);
    describeWatch(openDriver);
    describeConcurrency(openDriver);
    describeLifetime(openDriver);
  });
}
