import { asRecords, type Report } from './report.ts';
import { formatLocalTime } from './times.ts';

/** Label and field of what is shown of conditions beside type and status, in the order of the columns. */
const conditionDetails = [
  ['LastHeartbeatTime', 'lastHeartbeatTime'],
  ['LastProbeTime', 'lastProbeTime'],
  ['LastTransitionTime', 'lastTransitionTime'],
  ['Reason', 'reason'],
  ['Message', 'message'],
] as const;

/** A column of conditions. */
export type ConditionDetail = (typeof conditionDetails)[number][0];

/**
 * Writes conditions as type and status, with more columns when asked for. Nothing when there are none. Blanks before tabs
 * are as in release 1.20, where `padded` says which columns of a line have one.
 */
export function describeConditions(
  report: Report,
  conditions: unknown,
  details: readonly ConditionDetail[] = [],
  padded: readonly number[] = [0],
): void {
  const rows = asRecords(conditions);
  if (rows.length === 0) return;
  const columns = [
    ['Type', 'type'],
    ['Status', 'status'],
    ...conditionDetails.filter(([label]) => details.includes(label)),
  ] as const;
  report.line(0, 'Conditions:');
  report.row(
    1,
    columns.map(([label]) => label),
  );
  if (details.length > 0)
    report.row(
      1,
      // One is longer than its label in release 1.20's client.
      columns.map(([label]) => '-'.repeat(label === 'LastProbeTime' ? 17 : label.length)),
    );
  for (const row of rows) {
    const cells = columns.map(([label, field]) =>
      label.endsWith('Time') ? formatLocalTime(row[field]) : row[field],
    );
    report.row(
      1,
      cells.map((cell, column) => (padded.includes(column) ? `${cell ?? ''} ` : cell)),
    );
  }
}
