import type { AuditBackend } from './audit-sink.ts';
import { batchesOf, type EventEncoder, encodeEvent } from './encode-events.ts';
import { listBatches } from './event-batch.ts';

/** How events are sent to a webhook. */
export interface WebhookBackendOptions {
  /** Sends an `EventList`, several times if need be. @throws when it was not taken. */
  readonly post: (body: string) => Promise<void>;
  readonly encoder: EventEncoder;
}

/** Sends events as lists. */
export function createWebhookBackend({ post, encoder }: WebhookBackendOptions): AuditBackend {
  const { apiVersion } = encoder.context;
  const head = `{"kind":"EventList","apiVersion":"${apiVersion}","metadata":{},"items":[`;
  // Items of a list do not say what they are.
  const skipped = `{"kind":"Event","apiVersion":"${apiVersion}",`.length;
  return {
    encode: (event) => encodeEvent(event, encoder),
    startBatch: listBatches(async (events) => {
      for (const batch of batchesOf(events, encoder.limits)) {
        await post(`${head}${batch.map((json) => `{${json.slice(skipped)}`).join(',')}]}\n`);
      }
    }),
  };
}
