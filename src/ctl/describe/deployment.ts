import { asJsonObject } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { toCellText } from '../printers/text-table.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describePodTemplate } from './pod-template.ts';
import { asRecords, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';

/** A deployment with its strategy, pod template and replica sets. */
export async function describeDeployment(context: DescribeContext): Promise<void> {
  const { object, report } = context;
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  const { metadata } = object;
  report.field(0, 'Name', metadata.name);
  report.field(0, 'Namespace', metadata.namespace);
  report.field(0, 'CreationTimestamp', formatLocalTime(metadata.creationTimestamp));
  report.map('Labels', metadata.labels);
  report.annotations(metadata.annotations);
  report.field(0, 'Selector', labelSelectorFromObject(asJsonObject(spec.selector)).toString());
  const count = (field: string) => status[field] ?? 0;
  report.field(
    0,
    'Replicas',
    `${spec.replicas ?? 0} desired | ${count('updatedReplicas')} updated | ${count('replicas')} total | ${count('availableReplicas')} available | ${count('unavailableReplicas')} unavailable`,
  );
  const strategy = asJsonObject(spec.strategy);
  report.field(0, 'StrategyType', strategy.type ?? '');
  report.field(0, 'MinReadySeconds', spec.minReadySeconds ?? 0);
  const rolling = asJsonObject(strategy.rollingUpdate);
  if (strategy.rollingUpdate !== undefined) {
    report.field(
      0,
      'RollingUpdateStrategy',
      `${rolling.maxUnavailable} max unavailable, ${rolling.maxSurge} max surge`,
    );
  }
  describePodTemplate(report, asJsonObject(spec.template));
  describeConditions(report, status.conditions, [['Reason', 'reason']]);
  await describeReplicaSets(context);
}

/** Replica sets of the deployment: the newest revision's is the new one, others that still have pods are old. */
async function describeReplicaSets({ ctl, object, report }: DescribeContext): Promise<void> {
  const { namespace = '', uid } = object.metadata;
  const revisionKey = ctl.dialect.domain('deployment', 'revision');
  const client = await ctl.client();
  let sets: readonly Readonly<Record<string, unknown>>[] = [];
  try {
    const list = await client.json<{ items?: unknown }>({
      method: 'GET',
      path: `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/replicasets`,
      signal: ctl.io.signal,
    });
    sets = asRecords(list.items).filter((set) =>
      asRecords(asJsonObject(set.metadata).ownerReferences).some((owner) => owner.uid === uid),
    );
  } catch {
    // Who may not read replica sets sees none.
  }
  const revisionOf = (set: Readonly<Record<string, unknown>>) =>
    Number(asJsonObject(asJsonObject(set.metadata).annotations)[revisionKey] ?? 0);
  const [newest, ...older] = [...sets].sort((a, b) => revisionOf(b) - revisionOf(a));
  const old = older.filter((set) => Number(asJsonObject(set.spec).replicas ?? 0) > 0);
  report.field(0, 'OldReplicaSets', old.map(formatReplicaSet).join(', ') || '<none>');
  report.field(0, 'NewReplicaSet', newest === undefined ? '<none>' : formatReplicaSet(newest));
}

function formatReplicaSet(set: Readonly<Record<string, unknown>>): string {
  const desired = textOr(asJsonObject(set.spec).replicas, '0');
  const created = textOr(asJsonObject(set.status).replicas, '0');
  return `${toCellText(asJsonObject(set.metadata).name)} (${created}/${desired} replicas created)`;
}
