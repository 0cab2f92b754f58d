import type { Logger, TimeSlices } from '../../base/index.ts';
import type { Storage } from '../contract.ts';
import type { SelectableFields } from './cached-object.ts';
import type { FieldLayout } from './field-layout.ts';
import type { SnapshotBudget } from './snapshot-budget.ts';

/** What a resource needs to know of the cache that it belongs to. */
export interface CacheHost {
  /** Prefix of all keys. What lies at keys of no resource is nobody's object, and no problem of anybody's. */
  readonly root: string;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly slices: TimeSlices;
  readonly snapshotBudget: SnapshotBudget;
  readonly selectableFields: SelectableFields | undefined;
  readonly fieldLayout: FieldLayout | undefined;
  /** Revision that all resources stand at. */
  readonly revision: number;
  /** Live watchers have received everything up to this revision. */
  readonly deliveredRevision: number;
}
