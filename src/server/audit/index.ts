/**
 * Audit: events of release 1.20 (`audit.orch.io`) about who asked for what and how it ended, as much of each request as
 * a policy says. Requests leave notes on the way; events go to a log file and a webhook, each in one of three modes:
 * behind the requests' backs, or before they are answered.
 */
export { type AuditVersion, auditVersions } from './audit-event.ts';
export { type AuditBackend, type AuditSink, createBlockingSink, joinSinks } from './audit-sink.ts';
export { Auditor, type AuditorOptions } from './auditor.ts';
export { BatchSink, type BatchSinkOptions } from './batch-sink.ts';
export { createLogBackend, createWebhookBackend } from './deliver.ts';
export { createBodyReader, type EventEncoder, type TruncateLimits } from './encode-events.ts';
export type { AppendLines } from './event-batch.ts';
export { LossLog } from './loss-log.ts';
export type { AuditPolicy } from './policy.ts';
export { AuditPolicyError, metadataPolicy, readAuditPolicy } from './read-policy.ts';
export { RotatingFile } from './rotating-file.ts';
