import { parseGroupVersion } from '../../../machinery/schema/index.ts';
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '../../types/apps-v1.ts';
import type { PodTemplate, ReplicationController } from '../../types/core-v1.ts';
import { ageSince } from '../age.ts';
import { containerCells, formatLabels, formatSelector, formatSelectorOrNone, orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

/** Rows of deployments. */
export const deploymentPrinter: RowPrinter<Deployment> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status.updatedReplicas ?? 0,
    status.availableReplicas ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.template),
    formatSelector(spec.selector),
  ],
};

/** Rows of replica sets. */
export const replicaSetPrinter: RowPrinter<ReplicaSet> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.replicas ?? 0,
    status.replicas,
    status.readyReplicas ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.template),
    formatSelectorOrNone(spec.selector),
  ],
};

/** Rows of replication controllers. */
export const replicationControllerPrinter: RowPrinter<ReplicationController> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.replicas ?? 0,
    status.replicas,
    status.readyReplicas ?? 0,
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.template),
    formatLabels(spec.selector),
  ],
};

/** Rows of daemon sets. */
export const daemonSetPrinter: RowPrinter<DaemonSet> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    status.desiredNumberScheduled,
    status.currentNumberScheduled,
    status.numberReady,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    formatLabels(spec.template.spec.nodeSelector),
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.template),
    formatSelectorOrNone(spec.selector),
  ],
};

/** Rows of stateful sets. */
export const statefulSetPrinter: RowPrinter<StatefulSet> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.template),
  ],
};

/** Rows of pod templates. */
export const podTemplatePrinter: RowPrinter<PodTemplate> = {
  cells: ({ metadata, template }) => [
    metadata.name ?? '',
    ...containerCells(template),
    formatLabels(template.metadata.labels),
  ],
};

/** Rows of controller revisions. */
export const controllerRevisionPrinter: RowPrinter<ControllerRevision> = {
  cells: ({ metadata, revision }, { nowMs }) => [
    metadata.name ?? '',
    formatController(metadata.ownerReferences?.find((owner) => owner.controller === true)),
    revision,
    ageSince(metadata.creationTimestamp, nowMs),
  ],
};

function formatController(owner: { apiVersion: string; kind: string; name: string } | undefined): string {
  if (owner === undefined) return orNone('');
  const group = parseGroupVersion(owner.apiVersion)?.group ?? '';
  const kind = group === '' ? owner.kind : `${owner.kind}.${group}`;
  return `${kind.toLowerCase()}/${owner.name}`;
}
