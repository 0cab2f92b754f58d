import { asJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks, describeName, selectorText } from './head.ts';
import { claimClass } from './persistent-volume-claim.ts';
import { countPods } from './pod-counts.ts';
import { describePodTemplate } from './pod-template.ts';
import { asRecords, type Fields, goList, type Report } from './report.ts';
import { formatLocalTime } from './times.ts';

/** A stateful set with its pods' phases, template and templates of claims. */
export async function describeStatefulSet(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const counts = await countPods(context);
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  const strategy = asJsonObject(spec.updateStrategy);
  const { partition } = asJsonObject(strategy.rollingUpdate);
  describeName(context);
  report.field(0, 'CreationTimestamp', formatLocalTime(object.metadata.creationTimestamp));
  report.field(0, 'Selector', selectorText(object));
  describeMarks(context);
  report.field(0, 'Replicas', `${spec.replicas ?? 0} desired | ${status.replicas ?? 0} total`);
  report.field(0, 'Update Strategy', strategy.type);
  if (partition !== undefined) report.field(1, 'Partition', partition);
  report.field(0, 'Pods Status', counts);
  describePodTemplate(report, asJsonObject(spec.template), ctl.dialect);
  describeClaimTemplates(report, asRecords(spec.volumeClaimTemplates), (claim) =>
    claimClass(claim, ctl.dialect),
  );
}

function describeClaimTemplates(
  report: Report,
  claims: readonly Fields[],
  classOf: (claim: Fields) => string,
): void {
  report.line(0, `Volume Claims:${claims.length === 0 ? '\t<none>' : ''}`);
  for (const claim of claims) {
    const { name, labels, annotations } = asJsonObject(claim.metadata);
    const spec = asJsonObject(claim.spec);
    const { storage = '<default>' } = asJsonObject(asJsonObject(spec.resources).requests);
    report.field(1, 'Name', name);
    report.field(1, 'StorageClass', classOf(claim));
    report.map('Labels', labels, { level: 1, restLevel: 1 });
    report.map('Annotations', annotations, { level: 1, restLevel: 1 });
    report.field(1, 'Capacity', storage);
    report.field(1, 'Access Modes', goList(spec.accessModes));
  }
}
