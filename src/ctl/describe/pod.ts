import { asJsonObject } from '../../base/index.ts';
import { formatHumanDuration } from '../printers/human-duration.ts';
import { toCellText } from '../printers/text-table.ts';
import { describeConditions } from './conditions.ts';
import { describeContainers } from './containers.ts';
import type { DescribeContext } from './describer.ts';
import { asRecords, type Report, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';
import { describeVolumes } from './volumes.ts';

/** A pod with its containers, volumes and tolerations. */
export async function describePod({ object, report, nowMs }: DescribeContext): Promise<void> {
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  const { metadata } = object;
  report.field(0, 'Name', metadata.name);
  report.field(0, 'Namespace', metadata.namespace);
  if (spec.priority !== undefined) {
    report.field(0, 'Priority', spec.priority);
    if (spec.priorityClassName) report.field(0, 'Priority Class Name', spec.priorityClassName);
  }
  const node = textOr(spec.nodeName, '<none>');
  report.field(0, 'Node', node === '<none>' ? node : `${node}/${textOr(status.hostIP, '')}`);
  if (status.startTime) report.field(0, 'Start Time', formatLocalTime(status.startTime));
  report.map('Labels', metadata.labels);
  report.annotations(metadata.annotations);
  if (metadata.deletionTimestamp) {
    const lasts = formatHumanDuration(nowMs - Date.parse(metadata.deletionTimestamp));
    report.field(0, 'Status', `Terminating (lasts ${lasts})`);
    report.field(0, 'Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else report.field(0, 'Status', status.phase);
  if (status.reason) report.field(0, 'Reason', status.reason);
  if (status.message) report.field(0, 'Message', status.message);
  report.field(0, 'IP', status.podIP ?? '');
  describeAddresses(report, asRecords(status.podIPs));
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller !== undefined) report.field(0, 'Controlled By', `${controller.kind}/${controller.name}`);
  if (status.nominatedNodeName) report.field(0, 'NominatedNodeName', status.nominatedNodeName);
  const initContainers = asRecords(spec.initContainers);
  if (initContainers.length > 0) {
    describeContainers(report, 'Init Containers', initContainers, {
      statuses: asRecords(status.initContainerStatuses),
    });
  }
  describeContainers(report, 'Containers', asRecords(spec.containers), {
    statuses: asRecords(status.containerStatuses),
  });
  describeConditions(report, status.conditions);
  describeVolumes(report, spec.volumes);
  if (status.qosClass) report.field(0, 'QoS Class', status.qosClass);
  report.map('Node-Selectors', spec.nodeSelector);
  describeTolerations(report, asRecords(spec.tolerations));
}

function describeAddresses(report: Report, addresses: readonly Readonly<Record<string, unknown>>[]): void {
  if (addresses.length === 0) {
    report.line(0, 'IPs:\t<none>');
    return;
  }
  report.line(0, 'IPs:');
  for (const { ip } of addresses) report.field(1, 'IP', ip);
}

function describeTolerations(
  report: Report,
  tolerations: readonly Readonly<Record<string, unknown>>[],
): void {
  const texts = tolerations.map((toleration) => {
    const value = toleration.value ? `=${toleration.value}` : '';
    const effect = toleration.effect ? `:${toleration.effect}` : '';
    const exists = toleration.operator === 'Exists' ? ' op=Exists' : '';
    const seconds = toleration.tolerationSeconds === undefined ? '' : ` for ${toleration.tolerationSeconds}s`;
    return toCellText(`${textOr(toleration.key, '')}${value}${effect}${exists}${seconds}`.trim());
  });
  const [first = '<none>', ...rest] = texts.sort();
  report.line(0, `Tolerations:\t${first}`);
  for (const text of rest) report.line(0, `\t${text}`);
}
