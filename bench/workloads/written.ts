import type { RestClient } from '../../src/client/rest/index.ts';

/** Writes that a server answered with success, whoever asked for them. Renewals of leases are left out. */
export interface WriteCounts {
  readonly total: number;
  /** New events among them. */
  readonly events: number;
}

const series = /^apiserver_request_total\{([^}]*)\} (\d+)$/gm;
const isWrite = /verb="(?:POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION)"/;

/** Asks a server what was written so far. @throws StatusError when it does not show its metrics. */
export async function readWrites(client: RestClient): Promise<WriteCounts> {
  const { body } = await client.send({ method: 'GET', path: '/metrics', accept: 'text/plain' });
  return countWrites(body.toString('utf8'));
}

/** The same from the text of the metrics. */
export function countWrites(metrics: string): WriteCounts {
  let [total, events] = [0, 0];
  for (const [, labels = '', value] of metrics.matchAll(series)) {
    if (!isWrite.test(labels) || labels.includes('resource="leases"') || !/code="2\d\d"/.test(labels))
      continue;
    total += Number(value);
    if (labels.includes('resource="events"') && labels.includes('verb="POST"')) events += Number(value);
  }
  return { total, events };
}

/** What was written between two moments. */
export const writesBetween = (before: WriteCounts, after: WriteCounts): WriteCounts => ({
  total: after.total - before.total,
  events: after.events - before.events,
});
