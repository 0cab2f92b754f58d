import { isDeepStrictEqual } from 'node:util';
import { asJsonObject, type JsonObject } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { describeConditions } from './conditions.ts';
import type { DescribeContext } from './describer.ts';
import { describeMarks, describeName, selectorText } from './head.ts';
import { describePodTemplate } from './pod-template.ts';
import { asRecords, type Fields, textOr } from './report.ts';
import { formatLocalTime } from './times.ts';

/** A deployment with its strategy, pod template and replica sets. */
export async function describeDeployment(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const status = asJsonObject(object.status);
  describeName(context);
  report.field(0, 'CreationTimestamp', formatLocalTime(object.metadata.creationTimestamp));
  describeMarks(context);
  report.field(0, 'Selector', selectorText(object));
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
  describePodTemplate(report, asJsonObject(spec.template), ctl.dialect);
  describeConditions(report, status.conditions, ['Reason']);
  await describeReplicaSets(context);
}

/** The oldest replica set with this template is the new one; others that still want pods are old. */
async function describeReplicaSets({ ctl, object, report }: DescribeContext): Promise<void> {
  const { namespace = '', uid } = object.metadata;
  const client = await ctl.client();
  let sets: readonly Fields[];
  try {
    const list = await client.json<{ items?: unknown }>({
      method: 'GET',
      path: `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/replicasets`,
      query: { labelSelector: selectorText(object) },
      signal: ctl.io.signal,
    });
    sets = asRecords(list.items).filter(({ metadata }) =>
      asRecords(asJsonObject(metadata).ownerReferences).some((owner) => owner.uid === uid),
    );
  } catch (error) {
    // Who may not read replica sets still sees the rest.
    if (error instanceof StatusError) return;
    throw error;
  }
  const template = withoutHash(asJsonObject(object.spec).template);
  const byAge = [...sets].sort((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
  const current = byAge.find(({ spec }) =>
    isDeepStrictEqual(withoutHash(asJsonObject(spec).template), template),
  );
  const old = byAge.filter((set) => set !== current && asJsonObject(set.spec).replicas !== 0);
  report.field(0, 'OldReplicaSets', old.map(formatReplicaSet).join(', ') || '<none>');
  report.field(0, 'NewReplicaSet', current === undefined ? '<none>' : formatReplicaSet(current));
}

function ageKey({ metadata }: Fields): string {
  const { creationTimestamp, name } = asJsonObject(metadata);
  return `${creationTimestamp} ${name}`;
}

/** A template without the label by which the replica sets of a deployment differ. */
function withoutHash(template: unknown): JsonObject {
  const { metadata, ...rest } = asJsonObject(template);
  const { labels, ...marks } = asJsonObject(metadata);
  const { 'pod-template-hash': _, ...others } = asJsonObject(labels);
  return { ...rest, metadata: { ...marks, labels: others } };
}

function formatReplicaSet(set: Fields): string {
  const desired = textOr(asJsonObject(set.spec).replicas, '0');
  const created = textOr(asJsonObject(set.status).replicas, '0');
  return `${asJsonObject(set.metadata).name} (${created}/${desired} replicas created)`;
}
