import type { DaemonSet, Deployment, StatefulSet } from '../../types/apps-v1.ts';
import type { Job } from '../../types/batch-v1.ts';
import type { ReplicationController } from '../../types/core-v1.ts';
import type { Deployment as FirstDeployment } from '../../types/extensions-v1beta1.ts';
import type { LabelSelector } from '../../types/meta-v1.ts';

interface WithTemplate {
  metadata: { labels?: Record<string, string> | undefined };
  spec: {
    template?: { metadata: { labels?: Record<string, string> | undefined } } | undefined;
  };
}

/** An object without labels takes those of its pod template: the very same, which get what the template's get. */
export function labelsFromTemplate(object: WithTemplate): void {
  const labels = object.spec.template?.metadata.labels;
  if (object.metadata.labels === undefined && labels !== undefined) object.metadata.labels = labels;
}

/** A replication controller without a selector takes its template's labels. */
export function selectorFromTemplate({ spec }: ReplicationController): void {
  const labels = spec.template?.metadata.labels;
  if (spec.selector === undefined && labels !== undefined) spec.selector = { ...labels };
}

/** A workload of the first versions without a selector selects the labels of its template. */
export function matchLabelsFromTemplate({
  spec,
}: WithTemplate & { spec: { selector?: LabelSelector | undefined } }): void {
  const labels = spec.template?.metadata.labels;
  if (spec.selector === undefined && labels !== undefined) spec.selector = { matchLabels: { ...labels } };
}

/** A rolling deployment of the first version replaces one pod at a time. */
export function firstDeploymentRollingUpdate({ spec: { strategy } }: FirstDeployment): void {
  if (strategy.type !== 'RollingUpdate' && strategy.rollingUpdate === undefined) return;
  const { maxUnavailable = 1, maxSurge = 1 } = strategy.rollingUpdate ?? {};
  strategy.rollingUpdate = { maxUnavailable, maxSurge };
}

/** A rolling deployment replaces a quarter of its pods at a time. */
export function deploymentRollingUpdate({ spec }: Deployment): void {
  if (spec.strategy.type !== 'RollingUpdate') return;
  const { maxUnavailable = '25%', maxSurge = '25%' } = spec.strategy.rollingUpdate ?? {};
  spec.strategy.rollingUpdate = { maxUnavailable, maxSurge };
}

/** A rolling daemon set replaces one pod at a time. */
export function daemonSetRollingUpdate({ spec }: DaemonSet): void {
  if (spec.updateStrategy.type !== 'RollingUpdate') return;
  spec.updateStrategy.rollingUpdate ??= {};
  spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
}

/** Stateful sets update in a rolling way, all pods. A given type without a partition stays without one. */
export function statefulSetUpdateStrategy({ spec }: StatefulSet): void {
  const strategy = spec.updateStrategy;
  if (strategy.type === undefined || strategy.type === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate !== undefined) {
    strategy.rollingUpdate.partition ??= 0;
  }
}

/** Claim templates always say what they are. */
export function claimTemplateKinds({ spec }: StatefulSet): void {
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
  }
}

/** A job that says neither how often nor how wide runs once. With a width alone any success completes it. */
export function jobCompletions({ spec }: Job): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
}
