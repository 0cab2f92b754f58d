import type { HistoryReach } from '../../storage/index.ts';

/** Sizes and counters of a store. Also the JSON that the API answers with. */
export interface StatsReport {
  /** Name of the driver: `sqlite`, `etcd`, `memory`. */
  readonly driver: string;
  readonly dialect: string;
  readonly revision: number;
  /** History up to here is forgotten. */
  readonly compactedRevision: number;
  readonly objectCount: number;
  readonly sizeBytes: number;
  /** Of the file system that the database is on; undefined for stores that are no file here. */
  readonly disk?: { readonly sizeBytes: number; readonly freeBytes: number } | undefined;
  /** How far back history goes; undefined when no server runs on the store. */
  readonly history?: HistoryReach | undefined;
}

/** Result of a check of the whole store. Also the JSON that the API answers with. */
export interface CheckReport {
  readonly isSound: boolean;
  /** Objects that were read, at `revision`. */
  readonly objectCount: number;
  readonly revision: number;
  /** What is wrong, a sentence each; the first few when there are many. */
  readonly problems: readonly string[];
}

/** Result of a compaction. Also the JSON that the API answers with. */
export interface CompactReport {
  /** History up to here is forgotten. */
  readonly compactedRevision: number;
  readonly sizeBeforeBytes: number;
  readonly sizeAfterBytes: number;
}

/** How thorough a check is; an abort of `signal` rejects it. */
export interface CheckOptions {
  /** Check the objects only; otherwise also the database's own structure, which takes free disk of the store's size. */
  readonly isQuick?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Progress reports and cancellation of a backup; `totalBytes` is undefined as long as it is not known. */
export interface BackupOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?:
    | ((progress: { readonly doneBytes: number; readonly totalBytes: number | undefined }) => void)
    | undefined;
}

/** Maintenance of a store as a whole, for operators. */
export interface StoreMaintenance {
  stats(): Promise<StatsReport>;
  /** Reads everything. What is wrong is in the report, not thrown. */
  check(options?: CheckOptions): Promise<CheckReport>;
  /**
   * Deletes history, and shrinks the database where the driver can. Watches and continued lists from before fail as
   * expired, and clients start them again.
   */
  compact(): Promise<CompactReport>;
  /**
   * Makes one SQLite database of the store as it is at one moment, at a path where nothing is. Every write that was
   * acknowledged before the call is in it.
   */
  backupTo(path: string, options?: BackupOptions): Promise<void>;
}

/** Paths below which a running server offers its maintenance; they are in no list of paths. */
export const maintenancePaths = {
  stats: '/-/storage/stats',
  check: '/-/storage/check',
  compact: '/-/storage/compact',
  backup: '/-/storage/backup',
} as const;
