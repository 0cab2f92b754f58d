import { asJsonObject } from '../../base/index.ts';
import type { DescribeContext } from './describer.ts';
import { describeName, selectorText } from './head.ts';

/** Label and field of a budget's status. */
const counters = [
  ['Allowed disruptions', 'disruptionsAllowed'],
  ['Current', 'currentHealthy'],
  ['Desired', 'desiredHealthy'],
  ['Total', 'expectedPods'],
] as const;

/** A disruption budget with what it allows now. */
export async function describeBudget(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const { minAvailable, maxUnavailable, selector } = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  describeName(context);
  if (minAvailable !== undefined) report.field(0, 'Min available', minAvailable);
  else if (maxUnavailable !== undefined) report.field(0, 'Max unavailable', maxUnavailable);
  report.field(0, 'Selector', selector === undefined ? '<unset>' : selectorText(object) || '<none>');
  report.line(0, 'Status:');
  for (const [label, field] of counters) report.field(2, label, status[field] ?? 0);
}

/** A class of priorities with its value. */
export async function describePriorityClass({ object, report }: DescribeContext): Promise<void> {
  report.field(0, 'Name', object.metadata.name);
  report.field(0, 'Value', object.value ?? 0);
  report.field(0, 'GlobalDefault', object.globalDefault === true);
  report.field(0, 'Description', object.description);
  report.annotationLine(object.metadata.annotations);
}
