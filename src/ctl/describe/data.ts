import { asJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';

/** A config map with its values. */
export async function describeConfigMap({ object, report }: DescribeContext): Promise<void> {
  describeHead({ object, report });
  report.line(0, '');
  report.line(0, 'Data');
  report.line(0, '====');
  const texts = Object.entries(asJsonObject(object.data)).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, value] of texts) {
    report.line(0, `${key}:`);
    report.line(0, '----');
    // Tabs would be taken for columns.
    for (const line of String(value).split('\n')) report.line(0, line.replaceAll('\t', '        '));
  }
  if (report.isRelease) return;
  for (const [key, value] of Object.entries(asJsonObject(object.binaryData)).sort()) {
    report.line(0, `${key}: ${sizeOf(value)} bytes`);
  }
}

/** A secret with the sizes of its values, and the value of a service account's token alone, as scripts expect it. */
export async function describeSecret({ ctl, object, report }: DescribeContext): Promise<void> {
  describeHead({ object, report });
  report.line(0, '');
  report.field(0, 'Type', object.type);
  report.line(0, '');
  report.line(0, 'Data');
  report.line(0, '====');
  const entries = Object.entries(asJsonObject(object.data)).sort(([a], [b]) => (a < b ? -1 : 1));
  const isOfAccount = object.type === ctl.dialect.label('service-account-token');
  for (const [key, value] of entries) {
    const isToken = isOfAccount && key === 'token';
    const shown = isToken ? Buffer.from(String(value), 'base64').toString('utf8') : `${sizeOf(value)} bytes`;
    report.field(0, key, shown);
  }
}

function describeHead({ object, report }: Pick<DescribeContext, 'object' | 'report'>): void {
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'Namespace', object.metadata.namespace);
  report.map('Labels', object.metadata.labels);
  report.annotations(object.metadata.annotations);
}

function sizeOf(base64: unknown): number {
  return Buffer.from(String(base64), 'base64').length;
}
