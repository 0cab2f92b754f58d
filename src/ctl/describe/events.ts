import { asJsonObject } from '../../base/index.ts';
import type { Ctl } from '../ctl.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { WireObject } from '../resource/api-object.ts';
import { asRecords, type Fields, type Report, textOr } from './report.ts';

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
      report.isRelease ? coreEventAge(event, nowMs) : eventAge(event, nowMs),
      source,
      String(event.message ?? '').trim(),
    ];
    report.row(1, cells);
  }
}

/** The same as release 1.20 has it, which knows how often an event of the older API was seen only. */
function coreEventAge({ count, ...event }: Fields, nowMs: number): string {
  const first = formatAge(event.firstTimestamp, nowMs);
  if (Number(count ?? 0) > 1) return `${formatAge(event.lastTimestamp, nowMs)} (x${count} over ${first})`;
  return textOr(event.firstTimestamp, '') === '' ? formatAge(event.eventTime, nowMs) : first;
}

/** `5m (x3 over 10m)` for an event that was seen several times. */
export function eventAge(event: Fields, nowMs: number): string {
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
    return inOrder(asRecords(list.items), ctl.dialect.name === 'kubernetes');
  } catch {
    return []; // a description without events is still worth showing
  }
}

/** Oldest first; for release 1.20, events of the newer API come before all others. */
function inOrder(events: readonly Fields[], isRelease: boolean): readonly Fields[] {
  const timeOf = ({ lastTimestamp, eventTime }: Fields) =>
    Date.parse(textOr(lastTimestamp, isRelease ? '' : textOr(eventTime, ''))) || 0;
  return events.toSorted((a, b) => timeOf(a) - timeOf(b));
}
