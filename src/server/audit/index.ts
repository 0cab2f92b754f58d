/**
 * The audit log: events of release 1.20 (`audit.orch.io/v1`) about who asked for what and how it ended, as much of each
 * request as a policy says. Requests leave notes on the way; events are made and written later, in batches, and lost
 * rather than waited for. It opens no file: whoever builds it gives it a way to append lines.
 */
export type { AppendLines } from './audit-log.ts';
export { Auditor, type AuditorOptions } from './auditor.ts';
export type { AuditPolicy } from './policy.ts';
export { AuditPolicyError, metadataPolicy, readAuditPolicy } from './read-policy.ts';
