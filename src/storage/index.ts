/**
 * Storage contract and what its drivers share. Drivers live in folders of their own and know only this contract.
 */
export * from './contract.ts';
export { defaultHistoryMs } from './history-compaction.ts';
export { keyAfter, prefixEnd } from './key-range.ts';
export { stampRevision } from './stamp.ts';
