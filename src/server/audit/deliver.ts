import { quoteGo } from '../../machinery/errors/index.ts';
import type { PendingEvent } from './audit-event.ts';
import type { AuditBackend } from './audit-sink.ts';
import { batchesOf, type EventEncoder, encodeEvent } from './encode-events.ts';
import { type AppendLines, lineBatches, listBatches } from './event-batch.ts';
import { sourceAddresses } from './event-texts.ts';

/** How events are written to a log. */
export interface LogBackendOptions {
  readonly append: AppendLines;
  readonly format: 'json' | 'legacy';
  readonly encoder: EventEncoder;
}

/** Writes events as lines. */
export function createLogBackend({ append, format, encoder }: LogBackendOptions): AuditBackend {
  return {
    encode(event) {
      if (format === 'json') return encodeEvent(event, encoder);
      // What is too large for JSON is not written as text either.
      const isLost = encoder.limits !== undefined && encodeEvent(event, encoder) === undefined;
      return isLost ? undefined : formatLegacyLine(event);
    },
    startBatch: lineBatches(append),
  };
}

/** An event in the log's legacy format: one line of text. Source: release 1.20. */
export function formatLegacyLine({ record, stage, code, user }: PendingEvent): string {
  const { request, info, auditId, startedAtMs } = record.exchange;
  const { requester } = record;
  const isImpersonated = user !== requester;
  const [address = '<unknown>'] = sourceAddresses(request, record.peerAddress) ?? [];
  const fields = {
    id: auditId,
    stage,
    ip: address,
    method: info.verb,
    user: requester?.name || '<none>',
    groups: requester === undefined || requester.groups.length === 0 ? '<none>' : listOf(requester.groups),
    as: isImpersonated ? (user?.name ?? '') : '<self>',
    asgroups: isImpersonated ? listOf(user?.groups ?? []) : '<lookup>',
    namespace: info.namespace || record.object?.namespace || '<none>',
    uri: request.url ?? '',
    response: stage === 'RequestReceived' ? '<deferred>' : String(stage === 'Panic' ? 500 : (code ?? 200)),
  };
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${quoteGo(value)}`);
  return `${goTime(startedAtMs)} AUDIT: ${shown.join(' ')}`;
}

const listOf = (texts: readonly string[]): string => texts.map((text) => quoteGo(text)).join(',');

/** Fractions without zeros at their end, as Go writes them. */
const goTime = (ms: number): string => new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z');

/** How events are sent to a webhook. */
interface WebhookBackendOptions {
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
