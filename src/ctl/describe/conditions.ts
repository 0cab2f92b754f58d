import { toCellText } from '../printers/text-table.ts';
import { asRecords, type Report } from './report.ts';

/** Writes conditions as type and status, with more columns when asked for. Nothing when there are none. */
export function describeConditions(
  report: Report,
  conditions: unknown,
  columns: readonly (readonly [label: string, field: string])[] = [],
  format: (field: string, value: unknown) => string = (_field, value) => toCellText(value),
): void {
  const rows = asRecords(conditions);
  if (rows.length === 0) return;
  const all = [['Type', 'type'], ['Status', 'status'], ...columns] as const;
  report.line(0, 'Conditions:');
  report.line(1, all.map(([label]) => label).join('\t'));
  if (columns.length > 0) report.line(1, all.map(([label]) => '-'.repeat(label.length)).join('\t'));
  for (const row of rows) report.line(1, all.map(([, field]) => format(field, row[field])).join('\t'));
}
