import { asJsonObject, asList } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks } from './head.ts';
import { claimClass, formatAccessModes, formatPhase } from './persistent-volume-claim.ts';
import { asRecords, goList, type Report } from './report.ts';
import { describePersistentSource } from './volumes.ts';

/** A persistent volume with the claim that it is bound to and what it is. */
export async function describeVolume(context: DescribeContext): Promise<void> {
  const { ctl, object, report, nowMs } = context;
  const spec = asJsonObject(object.spec);
  const { namespace = '', name = '' } = asJsonObject(spec.claimRef);
  report.field(0, 'Name', object.metadata.name);
  describeMarks(context);
  report.field(0, 'Finalizers', goList(object.metadata.finalizers));
  report.field(0, 'StorageClass', claimClass(object, ctl.dialect));
  report.field(0, 'Status', formatPhase(object, nowMs));
  report.field(0, 'Claim', spec.claimRef === undefined ? '' : `${namespace}/${name}`);
  report.field(0, 'Reclaim Policy', spec.persistentVolumeReclaimPolicy);
  report.field(0, 'Access Modes', formatAccessModes(spec.accessModes));
  if (spec.volumeMode !== undefined) report.field(0, 'VolumeMode', spec.volumeMode);
  report.field(0, 'Capacity', asJsonObject(spec.capacity).storage ?? '0');
  const affinity = asJsonObject(spec.nodeAffinity).required;
  if (affinity === undefined) report.field(0, 'Node Affinity', '<none>');
  else {
    const terms = asRecords(asJsonObject(affinity).nodeSelectorTerms);
    report.field(0, 'Node Affinity', '');
    report.field(1, 'Required Terms', terms.length === 0 ? '<none>' : '');
    for (const [index, { matchExpressions }] of terms.entries()) {
      describeTerm(report, index, { level: 2, requirements: matchExpressions });
    }
  }
  report.field(0, 'Message', asJsonObject(object.status).message);
  report.line(0, 'Source:');
  describePersistentSource(report, spec, ctl.dialect);
}

/** A term of a selector of nodes: `zone in [a, b]`, one requirement per line. */
export function describeTerm(
  report: Report,
  index: number,
  { level, requirements }: { readonly level: number; readonly requirements: unknown },
): void {
  const texts = asRecords(requirements).map(({ key, operator = 'In', values }) => {
    const listed = asList(values);
    return `${key} ${String(operator).toLowerCase()}${listed.length === 0 ? '' : ` [${listed.join(', ')}]`}`;
  });
  report.list(level, `Term ${index}`, texts, level);
}
