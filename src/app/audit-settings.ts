import type { ServeConfig } from '../config/serve/index.ts';
import type { BatchSinkOptions, TruncateLimits } from '../server/audit/index.ts';

/** What the flags of the log and those of the webhook say alike. */
export interface AuditSinkSettings {
  readonly mode: 'batch' | 'blocking' | 'blocking-strict';
  /** `GROUP/VERSION`. */
  readonly version: string;
  readonly batch: Pick<
    BatchSinkOptions,
    'bufferSize' | 'maxSize' | 'maxBatchLength' | 'maxWaitMs' | 'throttle' | 'concurrency'
  >;
  readonly limits: TruncateLimits | undefined;
}

/**
 * Lines of a file are the same however many are written at once, and a write costs more than an event: they are gathered,
 * whatever the size of a batch is.
 */
const logGather = { events: 200, waitMs: 50 };
/** A batch is written whole or not at all: it must not grow beyond the smallest file, of 1 MB, with an event that fits it. */
const maxLogBatchLength = 128 * 1024;

/** Settings of the log. */
export function logSettings(config: ServeConfig): AuditSinkSettings {
  return {
    mode: config.auditLogMode,
    version: config.auditLogVersion,
    batch: {
      bufferSize: config.auditLogBatchBufferSize,
      maxSize: Math.max(config.auditLogBatchMaxSize, logGather.events),
      maxBatchLength: maxLogBatchLength,
      maxWaitMs: config.auditLogBatchMaxWaitMs || logGather.waitMs,
      throttle: config.auditLogBatchThrottleEnable
        ? { perSecond: config.auditLogBatchThrottleQps, burst: config.auditLogBatchThrottleBurst }
        : undefined,
      // The file keeps lines in order, and writes together what comes meanwhile.
      concurrency: Number.POSITIVE_INFINITY,
    },
    limits: config.auditLogTruncateEnabled
      ? {
          maxEventBytes: config.auditLogTruncateMaxEventSize,
          maxBatchBytes: config.auditLogTruncateMaxBatchSize,
        }
      : undefined,
  };
}

/** Batches that are on their way to the webhook at the same time. */
const webhookConcurrency = 16;

/** Settings of the webhook. */
export function webhookSettings(config: ServeConfig): AuditSinkSettings {
  return {
    mode: config.auditWebhookMode,
    version: config.auditWebhookVersion,
    batch: {
      bufferSize: config.auditWebhookBatchBufferSize,
      maxSize: config.auditWebhookBatchMaxSize,
      maxWaitMs: config.auditWebhookBatchMaxWaitMs,
      throttle: config.auditWebhookBatchThrottleEnable
        ? { perSecond: config.auditWebhookBatchThrottleQps, burst: config.auditWebhookBatchThrottleBurst }
        : undefined,
      concurrency: webhookConcurrency,
    },
    limits: config.auditWebhookTruncateEnabled
      ? {
          maxEventBytes: config.auditWebhookTruncateMaxEventSize,
          maxBatchBytes: config.auditWebhookTruncateMaxBatchSize,
        }
      : undefined,
  };
}
