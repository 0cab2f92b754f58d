import { isJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { goText, type Report, shownText } from './report.ts';

/** Any object: name, labels and annotations first, then every field under a readable name. */
export async function describeGeneric({ object, report }: DescribeContext): Promise<void> {
  const { name, namespace, labels, annotations } = object.metadata;
  report.field(0, 'Name', name);
  report.field(0, 'Namespace', namespace ?? '');
  report.map('Labels', labels);
  report.annotations(annotations);
  const shown = new Set(['name', 'namespace', 'labels', 'annotations']);
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !shown.has(key)));
  writeFields(report, 0, { ...object, metadata });
}

function writeFields(report: Report, level: number, fields: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(fields).sort()) writeField(report, level, toLabel(key), fields[key]);
}

function writeField(report: Report, level: number, label: string, value: unknown): void {
  if (Array.isArray(value)) {
    report.line(level, `${label}:`);
    for (const item of value) {
      if (isJsonObject(item)) writeFields(report, level + 1, item);
      else report.row(level + 1, [goText(item)]);
    }
  } else if (isJsonObject(value)) {
    report.line(level, `${label}:`);
    writeFields(report, level + 1, value);
  } else report.field(level, label, goText(value));
}

const upperWords = new Set(['api', 'url', 'uid', 'osb', 'guid']);

/** `creationTimestamp` is `Creation Timestamp`, `podIP` is `Pod IP`; keys with other characters stay as they are. */
function toLabel(key: string): string {
  if (!/^[\p{L}-]+$/u.test(key)) return shownText(key);
  const words = key.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|-+|\p{L}/gu) ?? [key];
  return words
    .map((word) =>
      upperWords.has(word.toLowerCase())
        ? word.toUpperCase()
        : word.slice(0, 1).toUpperCase() + word.slice(1),
    )
    .join(' ');
}
