import { asJsonObject } from '../../base/index.ts';
import { describeConditions } from './conditions.ts';
import { describeContainers } from './containers.ts';
import type { DescribeContext } from './describer.ts';
import { describeController, describeMarks, describeName } from './head.ts';
import { formatPhase } from './persistent-volume-claim.ts';
import { asRecords, type Fields, type Report, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';
import { describeVolumes } from './volumes.ts';

/** Groups of containers: the label, the field of the specification and that of the status. */
const containerGroups = [
  ['Init Containers', 'initContainers', 'initContainerStatuses'],
  ['Containers', 'containers', 'containerStatuses'],
  ['Ephemeral Containers', 'ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

/** A pod with its containers, volumes and tolerations. */
export async function describePod(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  describeName(context);
  if (spec.priority !== undefined) {
    report.field(0, 'Priority', spec.priority);
    if (spec.priorityClassName) report.field(0, 'Priority Class Name', spec.priorityClassName);
  }
  const node = spec.nodeName ? `${spec.nodeName}/${textOr(status.hostIP, '')}` : '<none>';
  report.field(0, 'Node', node);
  if (status.startTime) report.field(0, 'Start Time', formatLocalTime(status.startTime));
  describeMarks(context);
  describePhase(context);
  report.field(0, 'IP', status.podIP ?? '');
  describeAddresses(report, asRecords(status.podIPs));
  describeController(context);
  if (status.nominatedNodeName) report.field(0, 'NominatedNodeName', status.nominatedNodeName);
  for (const [label, field, statusField] of containerGroups) {
    const containers = asRecords(spec[field]);
    if (containers.length === 0 && field !== 'containers') continue;
    const statuses = asRecords(status[statusField]);
    describeContainers(report, label, containers, { statuses, pod: object });
  }
  describeGates(report, asRecords(spec.readinessGates), asRecords(status.conditions));
  describeConditions(report, status.conditions, [], [0, 1]);
  describeVolumes(report, spec.volumes, ctl.dialect);
  if (status.qosClass) report.field(0, 'QoS Class', status.qosClass);
  report.map('Node-Selectors', spec.nodeSelector);
  describeTolerations(report, asRecords(spec.tolerations));
}

function describePhase({ object, report, nowMs }: DescribeContext): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const { reason, message } = asJsonObject(object.status);
  report.field(0, 'Status', formatPhase(object, nowMs));
  if (deletionTimestamp) {
    report.field(0, 'Termination Grace Period', `${deletionGracePeriodSeconds ?? 0}s`);
  }
  if (reason) report.field(0, 'Reason', reason);
  if (message) report.field(0, 'Message', message);
}

/** Conditions that a pod waits for before it counts as ready. */
function describeGates(report: Report, gates: readonly Fields[], conditions: readonly Fields[]): void {
  if (gates.length === 0) return;
  report.line(0, 'Readiness Gates:');
  report.line(1, 'Type\tStatus');
  for (const { conditionType } of gates) {
    const found = conditions.find(({ type }) => type === conditionType);
    report.row(1, [`${conditionType} `, `${found?.status ?? '<none>'} `]);
  }
}

function describeAddresses(report: Report, addresses: readonly Fields[]): void {
  if (addresses.length === 0) {
    report.line(0, 'IPs:\t<none>');
    return;
  }
  report.line(0, 'IPs:');
  for (const { ip } of addresses) report.field(1, 'IP', ip);
}

function describeTolerations(report: Report, tolerations: readonly Fields[]): void {
  const sorted = [...tolerations].sort((a, b) => (textOr(a.key, '') < textOr(b.key, '') ? -1 : 1));
  const texts = sorted.map((toleration) => {
    const value = toleration.value ? `=${toleration.value}` : '';
    const effect = toleration.effect ? `:${toleration.effect}` : '';
    const exists = toleration.operator === 'Exists' ? ' op=Exists' : '';
    const seconds = toleration.tolerationSeconds === undefined ? '' : ` for ${toleration.tolerationSeconds}s`;
    return `${textOr(toleration.key, '')}${value}${effect}${exists}${seconds}`.trim();
  });
  report.list(0, 'Tolerations', texts);
}
