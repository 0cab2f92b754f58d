import { asJsonObject, errorText } from '../../base/index.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeController, describeMarks, describeName, selectorText } from './head.ts';
import { countPods } from './pod-counts.ts';
import { describePodTemplate } from './pod-template.ts';
import { formatMap } from './report.ts';

/** A replica set with its pods' phases and template. */
export async function describeReplicaSet(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  describeName(context);
  report.field(0, 'Selector', selectorText(object));
  describeMarks(context);
  describeController(context);
  let counts: string;
  try {
    counts = await countPods(context);
  } catch (error) {
    // Who may not read pods still sees the rest.
    counts = `error in fetching pods: ${errorText(error)}`;
  }
  describeReplicas(context, counts);
}

/** A replication controller, likewise. */
export async function describeReplicationController(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const counts = await countPods(context);
  describeName(context);
  report.field(0, 'Selector', formatMap(asJsonObject(object.spec).selector));
  describeMarks(context);
  describeReplicas(context, counts);
}

function describeReplicas({ ctl, object, report }: DescribeContext, counts: string): void {
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  report.field(0, 'Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 0} desired`);
  report.field(0, 'Pods Status', counts);
  describePodTemplate(report, asJsonObject(spec.template), ctl.dialect);
  describeConditions(report, status.conditions, ['Reason']);
}
