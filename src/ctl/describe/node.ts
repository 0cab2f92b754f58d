import { asJsonObject, errorText, ownValue } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeNodePods } from './node-pods.ts';
import { asRecords, type Fields, type Report, shownText, sortedEntries } from './report.ts';
import { formatLocalTime } from './times.ts';

/** Field of `nodeInfo` and its label, in the order in which they are shown. */
const infoFields = [
  ['machineID', 'Machine ID'],
  ['systemUUID', 'System UUID'],
  ['bootID', 'Boot ID'],
  ['kernelVersion', 'Kernel Version'],
  ['osImage', 'OS Image'],
  ['operatingSystem', 'Operating System'],
  ['architecture', 'Architecture'],
  ['containerRuntimeVersion', 'Container Runtime Version'],
] as const;

/** A node with its conditions, addresses, capacity and pods. */
export async function describeNode(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  const { metadata } = object;
  report.field(0, 'Name', metadata.name);
  report.field(0, 'Roles', formatRoles(metadata.labels ?? {}, ctl.dialect));
  report.map('Labels', metadata.labels);
  report.annotations(metadata.annotations);
  report.field(0, 'CreationTimestamp', formatLocalTime(metadata.creationTimestamp));
  describeTaints(report, asRecords(spec.taints));
  report.field(0, 'Unschedulable', spec.unschedulable === true);
  await describeLease(context);
  describeConditions(
    report,
    status.conditions,
    ['LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'],
    [0, 1, 2, 3, 4],
  );
  report.line(0, 'Addresses:');
  for (const { type, address } of asRecords(status.addresses)) report.field(1, shownText(type), address);
  describeQuantities(report, 'Capacity', status.capacity);
  describeQuantities(report, 'Allocatable', status.allocatable);
  const info = asJsonObject(status.nodeInfo);
  report.line(0, 'System Info:');
  for (const [field, label] of infoFields) report.field(1, label, info[field] ?? '');
  const { spell } = ctl.dialect;
  report.field(1, `${capitalize(spell('nodeagent'))} Version`, info[spell('nodeAgentVersion')] ?? '');
  report.field(1, `${capitalize(spell('orch-proxy'))} Version`, info[spell('orchProxyVersion')] ?? '');
  if (spec.podCIDR) report.field(0, 'PodCIDR', spec.podCIDR);
  if (Array.isArray(spec.podCIDRs)) report.field(0, 'PodCIDRs', spec.podCIDRs.join(','));
  if (spec.providerID) report.field(0, 'ProviderID', spec.providerID);
  await describeNodePods(context);
}

/** Roles are names of labels, or by the older way the value of one. */
function formatRoles(labels: Readonly<Record<string, string>>, dialect: Dialect): string {
  const prefix = dialect.domain('node-role', '');
  const named = Object.keys(labels)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  const older = ownValue(labels, dialect.label('role'));
  return [...new Set(older ? [...named, older] : named)].sort().join(',') || '<none>';
}

function describeTaints(report: Report, taints: readonly Fields[]): void {
  const order = ({ effect, key }: Fields) => `${effect},${key}`;
  const sorted = [...taints].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const texts = sorted.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  report.list(0, 'Taints', texts);
}

function describeQuantities(report: Report, label: string, quantities: unknown): void {
  const entries = sortedEntries(quantities);
  if (entries.length === 0) return;
  report.line(0, `${label}:`);
  for (const [name, quantity] of entries) report.field(1, name, quantity);
}

async function describeLease({ ctl, object, report }: DescribeContext): Promise<void> {
  const client = await ctl.client();
  const path = `/apis/${ctl.dialect.group('coordination')}/v1/namespaces/${ctl.dialect.nodeLeaseNamespace}/leases/${encodeURIComponent(object.metadata.name ?? '')}`;
  try {
    const lease = await client.json<{ spec?: unknown }>({ method: 'GET', path, signal: ctl.io.signal });
    const spec = asJsonObject(lease.spec);
    report.line(0, 'Lease:');
    report.field(1, 'HolderIdentity', spec.holderIdentity ?? '<unset>');
    report.field(1, 'AcquireTime', spec.acquireTime ? formatLocalTime(spec.acquireTime) : '<unset>');
    report.field(1, 'RenewTime', spec.renewTime ? formatLocalTime(spec.renewTime) : '<unset>');
  } catch (error) {
    report.field(0, 'Lease', `Failed to get lease: ${errorText(error)}`);
  }
}

function capitalize(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}
