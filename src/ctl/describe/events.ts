import { asJsonObject } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { WireObject } from '../resource/api-object.ts';
import { asRecords, type Report, textOr } from './report.ts';

/** Writes the events about an object, oldest first. Who may not read events gets none. */
export async function describeEvents(ctl: Ctl, object: WireObject, report: Report): Promise<void> {
  const events = await readEvents(ctl, object);
  if (events.length === 0) {
    report.line(0, 'Events:\t<none>');
    return;
  }
  report.line(0, 'Events:');
  report.line(1, 'Type\tReason\tAge\tFrom\tMessage');
  report.line(1, '----\t------\t----\t----\t-------');
  const nowMs = ctl.io.clock.nowMs();
  for (const event of events) {
    const source = textOr(asJsonObject(event.source).component, textOr(event.reportingComponent, ''));
    const cells = [
      event.type,
      event.reason,
      eventAge(event, nowMs),
      source,
      String(event.message ?? '').trim(),
    ];
    report.row(1, cells);
  }
}

/** `5m (x3 over 10m)` for an event that was seen several times. */
export function eventAge(event: Readonly<Record<string, unknown>>, nowMs: number): string {
  const first = textOr(event.firstTimestamp, textOr(event.eventTime, ''));
  const series = asJsonObject(event.series);
  const count = Number(series.count ?? event.count ?? 1);
  const last = textOr(series.lastObservedTime, textOr(event.lastTimestamp, first));
  if (count <= 1) return formatAge(first, nowMs);
  return `${formatAge(last, nowMs)} (x${count} over ${formatAge(first, nowMs)})`;
}

async function readEvents(ctl: Ctl, { kind, metadata }: WireObject) {
  const client = await ctl.client();
  const namespace = metadata.namespace ?? '';
  // Events about nodes name the node as their uid.
  const uid = kind === 'Node' ? metadata.name : metadata.uid;
  const selector = [
    `involvedObject.name=${metadata.name}`,
    ...(namespace === '' ? [] : [`involvedObject.namespace=${namespace}`]),
    `involvedObject.kind=${kind}`,
    ...(uid === undefined ? [] : [`involvedObject.uid=${uid}`]),
  ];
  const path =
    namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  try {
    const query = { fieldSelector: selector.join(',') };
    const list = await client.json<{ items?: unknown }>({
      method: 'GET',
      path,
      query,
      signal: ctl.io.signal,
    });
    return [...asRecords(list.items)].sort((a, b) => timeOf(a) - timeOf(b));
  } catch {
    return []; // a description without events is still worth showing
  }
}

function timeOf(event: Readonly<Record<string, unknown>>): number {
  return Date.parse(textOr(event.lastTimestamp, textOr(event.eventTime, ''))) || 0;
}
