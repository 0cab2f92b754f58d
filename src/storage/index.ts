/**
 * Storage contract and what its drivers share. Drivers live in folders of their own and know only this contract.
 */
export * from './contract.ts';
export {
  CopyError,
  type CopyErrorCode,
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copyStore,
} from './copy-store.ts';
export { defaultHistoryMs, type HistoryLimits } from './history-compaction.ts';
export { keyAfter, prefixEnd } from './key-range.ts';
export { type ObjectPage, type ReadPagesOptions, readPages } from './read-pages.ts';
export { isSealedValue } from './sealed-value.ts';
export { stampRevision } from './stamp.ts';
export { createTimedStorage, type StorageOperation, type TellTime } from './timed-storage.ts';
export { createVersionedStorage, type ReadForm, type StoredForms } from './versioned-storage.ts';
