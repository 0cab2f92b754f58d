import { asJsonObject, errorText } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeController, describeMarks, describeName, selectorText } from './head.ts';
import { claimClass } from './persistent-volume-claim.ts';
import { describePodTemplate } from './pod-template.ts';
import { asRecords, type Fields, formatMap, goList, type Report } from './report.ts';
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

/** `1 Running / 0 Waiting / 0 Succeeded / 0 Failed`: the pods of this object. @throws as `RestClient.json` */
async function countPods({ ctl, object }: DescribeContext): Promise<string> {
  const { namespace = '', uid } = object.metadata;
  const selector = asJsonObject(asJsonObject(object.spec).selector);
  // A replication controller's selector is a plain map of labels.
  const isPlain = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  const client = await ctl.client();
  const list = await client.json<{ items?: unknown }>({
    method: 'GET',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
    query: {
      labelSelector: labelSelectorFromObject(
        isPlain ? { matchLabels: asTexts(selector) } : selector,
      ).toString(),
    },
    signal: ctl.io.signal,
  });
  const phases = asRecords(list.items)
    .filter(({ metadata }) =>
      asRecords(asJsonObject(metadata).ownerReferences).some(
        (owner) => owner.controller === true && owner.uid === uid,
      ),
    )
    .map(({ status }) => asJsonObject(status).phase);
  const count = (phase: string) => phases.filter((found) => found === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

function asTexts(map: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}
