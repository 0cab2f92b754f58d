import { asJsonObject } from '../../base/index.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeHead } from './head.ts';
import { asRecords, type Fields, type Report, shownText } from './report.ts';
import { formatLocalTime } from './times.ts';

const unknown = '<unknown>';

/** An autoscaler with what it measures; in version v2beta2, or in v1 with processors alone. */
export async function describeAutoscaler(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  const { kind, name } = asJsonObject(spec.scaleTargetRef);
  describeHead(context);
  report.field(0, 'CreationTimestamp', formatLocalTime(object.metadata.creationTimestamp));
  report.field(0, 'Reference', `${kind}/${name}`);
  report.line(0, 'Metrics:\t( current / target )');
  const current = asRecords(status.currentMetrics);
  for (const [index, metric] of asRecords(spec.metrics).entries()) {
    report.line(1, shownText(formatMetric(metric, current[index] ?? {})).replace('\\x09', '\t'));
  }
  const share = spec.targetCPUUtilizationPercentage;
  if (share !== undefined) {
    const used = status.currentCPUUtilizationPercentage;
    report.field(1, ofRequest('cpu'), `${used === undefined ? unknown : `${used}%`} / ${share}%`);
  }
  report.field(0, 'Min replicas', spec.minReplicas ?? '<unset>');
  report.field(0, 'Max replicas', spec.maxReplicas ?? 0);
  if (spec.behavior !== undefined) {
    const { scaleUp, scaleDown } = asJsonObject(spec.behavior);
    report.line(0, 'Behavior:');
    describeBehavior(report, 'Scale Up', scaleUp);
    describeBehavior(report, 'Scale Down', scaleDown);
  }
  const { currentReplicas = 0, desiredReplicas = 0 } = status;
  report.field(0, `${kind} pods`, `${currentReplicas} current / ${desiredReplicas} desired`);
  describeConditions(report, status.conditions, ['Reason', 'Message'], []);
}

const ofRequest = (resource: unknown): string => `resource ${resource} on pods  (as a percentage of request)`;

/** A metric's name and, after a tab, what it is now and should be. */
function formatMetric(metric: Fields, measured: Fields): string {
  const member = String(metric.type).replace(/^./, (first) => first.toLowerCase());
  const source = asJsonObject(metric[member]);
  const target = asJsonObject(source.target);
  const isMeasured = measured[member] !== undefined;
  const now = asJsonObject(asJsonObject(measured[member]).current);
  const name = JSON.stringify(asJsonObject(source.metric).name);
  const amount = (field: 'value' | 'averageValue') =>
    `${isMeasured ? (now[field] ?? '<nil>') : unknown} / ${target[field] ?? '<nil>'}`;
  const targetName = (isAverage: boolean) => (isAverage ? '(target average value)' : '(target value)');
  switch (member) {
    case 'external': {
      const isAverage = target.averageValue !== undefined;
      if (!isAverage) return `${name} ${targetName(false)}:\t${amount('value')}`;
      return `${name} ${targetName(true)}:\t${now.averageValue ?? unknown} / ${target.averageValue}`;
    }
    case 'pods':
      return `${name} on pods:\t${amount('averageValue')}`;
    case 'object': {
      const { kind, name: owner } = asJsonObject(source.describedObject);
      const isAverage = target.type === 'AverageValue';
      return `${name} on ${kind}/${owner} ${targetName(isAverage)}:\t${amount(isAverage ? 'averageValue' : 'value')}`;
    }
    case 'resource': {
      if (target.averageValue !== undefined)
        return `resource ${source.name} on pods:\t${amount('averageValue')}`;
      const { averageUtilization } = now;
      const share =
        averageUtilization === undefined
          ? unknown
          : `${averageUtilization}% (${now.averageValue ?? '<nil>'})`;
      const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
      return `${ofRequest(source.name)}:\t${share} / ${wanted}`;
    }
    default:
      return `<unknown metric type ${JSON.stringify(metric.type)}>`;
  }
}

function describeBehavior(report: Report, label: string, value: unknown): void {
  if (value === undefined) return;
  const { stabilizationWindowSeconds, selectPolicy = 'Max', policies } = asJsonObject(value);
  report.line(1, `${label}:`);
  if (stabilizationWindowSeconds !== undefined) {
    report.row(2, [`Stabilization Window: ${stabilizationWindowSeconds} seconds`]);
  }
  if (asRecords(policies).length === 0) return;
  report.row(2, [`Select Policy: ${selectPolicy}`]);
  report.line(2, 'Policies:');
  for (const policy of asRecords(policies)) {
    report.row(3, [
      `- Type: ${policy.type}`,
      `Value: ${policy.value}`,
      `Period: ${policy.periodSeconds} seconds`,
    ]);
  }
}
