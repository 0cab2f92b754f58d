/**
 * Storage contract and what its drivers share. Drivers live in folders of their own and know only this contract.
 */
export * from './contract.ts';
export { stampRevision } from './stamp.ts';
