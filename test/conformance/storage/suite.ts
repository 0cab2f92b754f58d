import { describe } from 'mocha';
import type { Storage } from '../../../src/storage/index.ts';
import { describeAdvance } from './advance.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeExpiry } from './expiry.ts';
import { describeHandOver } from './hand-over.ts';
import { describeHistory } from './history.ts';
import { describeLifetime } from './lifetime.ts';
import { describeLinearizable } from './linearizable.ts';
import { describeReads } from './reads.ts';
import { describeResumption } from './resumption.ts';
import { describeWatch } from './watch.ts';
import { describeWrites } from './writes.ts';

/** A store as one test gets it. The suite closes what it was given and what it reopened. */
export interface OpenedDriver {
  readonly storage: Storage;
  /** Folder for the keys of this test, empty so far; ends with `/`. The whole store (`/`) when left out. */
  readonly prefix?: string | undefined;
  /** Opens the same store once more: after `storage` was closed, and beside it where `isAlone` is false. */
  readonly reopen?: (() => Promise<Storage>) | undefined;
  /** Moves the store's clock by so many milliseconds. Left out where the store lives by real time. */
  readonly passTime?: ((ms: number) => void) | undefined;
}

/** Opens a store, or a folder of a shared one, that holds nothing yet. Its revision may be any. */
export type OpenDriver = () => Promise<OpenedDriver>;

export interface SuiteOptions {
  /**
   * Whether nobody else uses the store that `openDriver` gives: it then starts at revision 1, every write takes the
   * next revision, and writes are applied in the order in which they were started.
   */
  readonly isAlone: boolean;
  /** Whether what was written is there when the store is opened again; `openDriver` then gives `reopen`. */
  readonly isDurable: boolean;
}

/** Everything that the storage contract promises, for one driver. */
export function describeStorage(name: string, openDriver: OpenDriver, options: SuiteOptions): void {
  describe(`storage contract: ${name}`, () => {
    describeWrites(openDriver, options);
    describeReads(openDriver);
    describeHistory(openDriver);
    describeWatch(openDriver, options);
    describeResumption(openDriver);
    describeConcurrency(openDriver, options);
    describeLinearizable(openDriver);
    describeHandOver(openDriver, options);
    describeExpiry(openDriver, options);
    describeAdvance(openDriver, options);
    describeLifetime(openDriver);
  });
}
