import { asJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks, selectorText } from './head.ts';
import { countPods } from './pod-counts.ts';
import { describePodTemplate } from './pod-template.ts';
import { formatMap } from './report.ts';

/** What is counted, and the field of the status. */
const counters = [
  ['Desired Number of Nodes Scheduled', 'desiredNumberScheduled'],
  ['Current Number of Nodes Scheduled', 'currentNumberScheduled'],
  ['Number of Nodes Scheduled with Up-to-date Pods', 'updatedNumberScheduled'],
  ['Number of Nodes Scheduled with Available Pods', 'numberAvailable'],
  ['Number of Nodes Misscheduled', 'numberMisscheduled'],
] as const;

/** A daemon set with its pods' phases and template. */
export async function describeDaemonSet(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const pods = await countPods(context);
  const template = asJsonObject(asJsonObject(object.spec).template);
  const status = asJsonObject(object.status);
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'Selector', selectorText(object));
  report.field(0, 'Node-Selector', formatMap(asJsonObject(template.spec).nodeSelector));
  describeMarks(context);
  // As release 1.20's client has them: in no column.
  for (const [label, field] of counters) report.line(0, `${label}: ${status[field] ?? 0}`);
  report.field(0, 'Pods Status', pods);
  describePodTemplate(report, template, ctl.dialect);
}
