import type { Database } from 'better-sqlite3';
import type { Meta } from './meta.ts';

/** Counters that the worker keeps beside the tables. */
export interface StoreState {
  /** Revision of the last committed write. */
  revision: number;
  compacted: number;
  objectCount: number;
}

/** The counters as the tables have them. A store that was never written to is at revision 1. */
export function readState(database: Database, meta: Meta): StoreState {
  const compacted = meta.get('compacted') ?? 0;
  // Aggregates without GROUP BY give one row of one number or null.
  const last = database.prepare<unknown[], number | null>('SELECT max(revision) FROM log').pluck().get();
  const objectCount = database.prepare<unknown[], number>('SELECT count(*) FROM objects').pluck().get() ?? 0;
  return { revision: Math.max(1, last ?? 0, compacted), compacted, objectCount };
}
