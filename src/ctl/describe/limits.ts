import { asJsonObject, asList, ownValue } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks, describeName } from './head.ts';
import { asRecords, type Fields, type Report, sortedEntries } from './report.ts';

/** What the scopes of quotas mean. */
const scopeMeanings: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

const limitColumns = [
  ['Min', 'min'],
  ['Max', 'max'],
  ['Default Request', 'defaultRequest'],
  ['Default Limit', 'default'],
  ['Max Limit/Request Ratio', 'maxLimitRequestRatio'],
] as const;

/** A range of limits. */
export async function describeLimitRange(context: DescribeContext): Promise<void> {
  describeName(context);
  describeLimits(context.report, [context.object], '');
}

/** A quota and what is used of it. */
export async function describeQuota(context: DescribeContext): Promise<void> {
  describeName(context);
  describeUsage(context.report, context.object, { indent: '', dashes: ['--------', '----', '----'] });
}

/** A namespace with its quotas and limits. */
export async function describeNamespace(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const status = asJsonObject(object.status);
  const quotas = await readOwn(context, 'resourcequotas');
  const limits = await readOwn(context, 'limitranges');
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.field(0, 'Status', status.phase);
  if (!report.isRelease)
    describeConditions(report, status.conditions, ['LastTransitionTime', 'Reason', 'Message'], []);
  if (quotas !== undefined) {
    report.line(0, '');
    report.line(0, quotas.length === 0 ? 'No resource quota.' : 'Resource Quotas');
    for (const [index, quota] of quotas.entries()) {
      if (index > 0) report.line(0, '');
      report.field(0, ' Name', asJsonObject(quota.metadata).name);
      describeUsage(report, quota, { indent: ' ', dashes: ['--------', '---', '---'] });
    }
  }
  if (limits === undefined) return;
  report.line(0, '');
  report.line(0, limits.length === 0 ? 'No LimitRange resource.' : 'Resource Limits');
  if (limits.length > 0) describeLimits(report, limits, ' ');
}

function describeLimits(report: Report, ranges: readonly Fields[], indent: string): void {
  const labels = ['Type', 'Resource', ...limitColumns.map(([label]) => label)];
  report.row(
    0,
    [indent + labels.join('\t')].flatMap((line) => line.split('\t')),
  );
  report.line(0, indent + labels.map((label) => '-'.repeat(label.length)).join('\t'));
  for (const item of ranges.flatMap(({ spec }) => asRecords(asJsonObject(spec).limits))) {
    const amounts = limitColumns.map(([, field]) => asJsonObject(item[field]));
    const resources = new Set(amounts.flatMap((amount) => Object.keys(amount)));
    for (const resource of [...resources].sort()) {
      const cells = amounts.map((amount) => ownValue(amount, resource) ?? '-');
      report.row(0, [`${indent}${item.type}`, resource, ...cells]);
    }
  }
}

function describeUsage(
  report: Report,
  quota: Fields,
  { indent, dashes }: { readonly indent: string; readonly dashes: readonly string[] },
): void {
  const scopes = [...asList(asJsonObject(quota.spec).scopes)].map(String).sort();
  if (scopes.length > 0) report.field(0, `${indent}Scopes`, scopes.join(', '));
  for (const scope of scopes) {
    const meaning = ownValue(scopeMeanings, scope);
    if (meaning !== undefined) report.line(0, `${indent} * ${meaning}`);
  }
  report.line(0, `${indent}Resource\tUsed\tHard`);
  report.line(0, indent + dashes.join('\t'));
  const { hard, used } = asJsonObject(quota.status);
  for (const [resource, amount] of sortedEntries(hard)) {
    report.row(0, [`${indent}${resource}`, ownValue(asJsonObject(used), resource) ?? '0', amount]);
  }
}

/** Objects of the namespace; undefined for those who may not read them. */
async function readOwn(
  { ctl, object }: DescribeContext,
  resource: string,
): Promise<readonly Fields[] | undefined> {
  const client = await ctl.client();
  const path = `/api/v1/namespaces/${encodeURIComponent(object.metadata.name ?? '')}/${resource}`;
  try {
    const list = await client.json<{ items?: unknown }>({ method: 'GET', path, signal: ctl.io.signal });
    return asRecords(list.items);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}
