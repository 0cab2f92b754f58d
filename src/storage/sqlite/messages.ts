import type { StorageErrorCode } from '../contract.ts';
import type { RevisionMark } from '../history-compaction.ts';

/** What the worker is started with. */
export interface WorkerOptions {
  readonly path: string;
  readonly dialect: string;
  /** Largest size of the database file; a write beyond it fails as `disk-full`. 0 means no limit. */
  readonly maxSizeBytes: number;
  /** Largest file that is checked in full after an unclean stop. */
  readonly maxCheckedBytes: number;
}

export const createVerb = 0;
export const updateVerb = 1;
export const deleteVerb = 2;

/**
 * Writes that are committed together, in order, as parallel arrays: those cross threads faster than objects.
 * The value of write `i` is `bytes[ends[i - 1] ?? 0 .. ends[i]]`.
 */
export interface WriteBatch {
  readonly kind: 'write';
  readonly verbs: readonly number[];
  readonly keys: readonly string[];
  readonly expected: readonly number[];
  /** When each key ends, in milliseconds since the Unix epoch; 0 for never. */
  readonly expiresAt: readonly number[];
  readonly ends: readonly number[];
  readonly bytes: ArrayBuffer;
  /** Whether somebody wants to see the objects that updates replace. */
  readonly wantsReplaced: boolean;
}

/** Values of objects, stamped, one after the other: value `i` is `bytes[ends[i - 1] ?? 0 .. ends[i]]`. */
export interface PackedValues {
  readonly ends: readonly number[];
  readonly bytes: ArrayBuffer;
}

export interface WriteBatchResult {
  /** Revision of each write; 0 for a conflict. */
  readonly revisions: readonly number[];
  /** Revision of the replaced object, or of the current one for a conflict; 0 when there is none. */
  readonly related: readonly number[];
  /** The related objects; empty where there is none, and for replaced objects that nobody wants to see. */
  readonly values: PackedValues;
  /** Revision of the store after the batch. */
  readonly revision: number;
}

export interface GetRequest {
  readonly kind: 'get';
  readonly key: string;
  /** 0 means the latest. */
  readonly revision: number;
}

export interface RangePageRequest {
  readonly kind: 'range';
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  readonly limit: number;
  /** 0 means the latest. */
  readonly revision: number;
}

/** A part of a range. It ends early, with `hasMore`, when it grows too large for one message. */
export interface RangePage {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  readonly values: PackedValues;
  readonly revision: number;
  readonly hasMore: boolean;
}

export interface HistoryRequest {
  readonly kind: 'history';
  readonly from: string;
  readonly to: string;
  readonly afterRevision: number;
}

/** Events after a revision. Values hold two entries per event: the object and what was before, empty if nothing. */
export interface HistoryPage {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  readonly isDelete: readonly boolean[];
  /** 0 for none. */
  readonly previous: readonly number[];
  readonly values: PackedValues;
  /** The page holds every event up to this revision. */
  readonly through: number;
}

/** Keeps marks for `OpenedStore.marks` of the next process. */
export interface KeepMarksRequest {
  readonly kind: 'keep-marks';
  readonly marks: readonly RevisionMark[];
}

export interface CompactRequest {
  readonly kind: 'compact';
  readonly revision: number;
}

export interface AdvanceRequest {
  readonly kind: 'advance';
  readonly revision: number;
}

export interface ExpiredRequest {
  readonly kind: 'expired';
  readonly nowMs: number;
  readonly limit: number;
}

/** Keys that should have ended, the longest overdue first. */
export interface ExpiredKeys {
  readonly keys: readonly string[];
  readonly revisions: readonly number[];
  /** When the next key ends that is not among `keys`; 0 when no other key does. */
  readonly nextMs: number;
}

/** Copies the database as it is when the copy ends into a file, which exists and is empty. */
export interface BackupRequest {
  readonly kind: 'backup';
  readonly path: string;
}

/** Ends the backup that is under way as a failure; the answer comes with that. */
export interface CancelBackupRequest {
  readonly kind: 'cancel-backup';
}

/** Checks the objects after a key; the empty text is before every key. */
export interface VerifyRequest {
  readonly kind: 'verify';
  readonly afterKey: string;
}

export interface VerifyPage {
  readonly findings: readonly string[];
  /** Where to go on; undefined at the end. */
  readonly lastKey: string | undefined;
}

/** Writes something, to see whether that can be done. */
export interface ProbeRequest {
  readonly kind: 'probe';
}

export interface VacuumRequest {
  readonly kind: 'vacuum';
}

export interface StatsRequest {
  readonly kind: 'stats';
}

export interface StatsResult {
  readonly revision: number;
  readonly compactedRevision: number;
  readonly objectCount: number;
  readonly sizeBytes: number;
}

export interface CloseRequest {
  readonly kind: 'close';
}

export type WorkerRequest =
  | WriteBatch
  | GetRequest
  | RangePageRequest
  | HistoryRequest
  | KeepMarksRequest
  | CompactRequest
  | AdvanceRequest
  | ExpiredRequest
  | BackupRequest
  | CancelBackupRequest
  | VerifyRequest
  | VacuumRequest
  | ProbeRequest
  | StatsRequest
  | CloseRequest;

/** Answer to each kind of request. */
export interface WorkerResults {
  readonly write: WriteBatchResult;
  readonly get: RangePage;
  readonly range: RangePage;
  readonly history: HistoryPage;
  readonly 'keep-marks': undefined;
  readonly compact: undefined;
  /** Revision of the store from now on. */
  readonly advance: number;
  readonly expired: ExpiredKeys;
  /** Counters of the copy. */
  readonly backup: StatsResult;
  readonly 'cancel-backup': undefined;
  readonly verify: VerifyPage;
  readonly vacuum: VacuumResult;
  readonly probe: undefined;
  readonly stats: StatsResult;
  readonly close: undefined;
}

/** An error that crosses threads. */
export interface Failure {
  readonly code: StorageErrorCode;
  readonly message: string;
}

export interface OpenedStore {
  readonly revision: number;
  /** True when the file was too large to be read through after an unclean stop. */
  readonly isUnchecked: boolean;
  /** When the first key ends; 0 when none does. */
  readonly nextExpiryMs: number;
  /** Times of revisions that the last process kept, oldest first. */
  readonly marks: readonly RevisionMark[];
}

/** First message of the worker: whether the database could be opened. */
export type OpenReply = OpenedStore | { readonly failure: Failure };

export interface WorkerCall {
  readonly id: number;
  readonly request: WorkerRequest;
}

export type WorkerReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

/** Sizes of the database file before and after it was rewritten. */
export interface VacuumResult {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}
