import { podNodeMatcher, untoleratedTaint } from '../../apis/core/index.ts';
import type { Node, Pod, PodSpec, PodTemplateSpec, Toleration } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { Owner } from '../workloads/claims.ts';
import { podFromTemplate } from '../workloads/pod-control.ts';

/** On pods: the hash of their template, and how often the template had changed when they were made. */
export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';

/** What a daemon set wants of a node. A pod that is there may stay where no new one would come. */
export interface Fit {
  readonly shouldRun: boolean;
  readonly mayStay: boolean;
}

/** What decides about nodes of them. */
export type PlacedNode = Pick<Node, 'metadata' | 'spec'>;

/** Tells of a node what a daemon set wants of it. */
export type Placement = (node: PlacedNode) => Fit;

/** Names of taints that pods of daemon sets live with. Source: release 1.20, `AddOrUpdateDaemonPodTolerations`. */
const tolerated = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/** The tolerations of a daemon set's pods: its own, and those that all have. */
export function daemonTolerations(spec: PodSpec | undefined, dialect: Dialect): Toleration[] {
  const { tolerations: own = [], hostNetwork } = spec ?? {};
  const names = hostNetwork === true ? [...tolerated, ['network-unavailable', 'NoSchedule']] : tolerated;
  const all = [...own];
  for (const [name = '', effect] of names) {
    const added = { key: dialect.domain('node', name), operator: 'Exists', effect };
    const at = all.findIndex(
      ({ key, operator, value = '', effect: of }) =>
        key === added.key && operator === added.operator && value === '' && of === effect,
    );
    if (at === -1) all.push(added);
    else all[at] = added; // without a time
  }
  return all;
}

/** Which nodes a template is for. Source: release 1.20, `nodeShouldRunDaemonPod`. */
export function daemonPlacement({ spec }: PodTemplateSpec, dialect: Dialect): Placement {
  const tolerations = daemonTolerations(spec, dialect);
  const matches = spec && podNodeMatcher({ spec });
  return ({ metadata: { name = '', labels = {} }, spec: { taints = [] } }) => {
    const isNamed = !spec?.nodeName || spec.nodeName === name;
    if (!isNamed || matches?.({ name, labels }) === false) return { shouldRun: false, mayStay: false };
    if (untoleratedTaint(taints, tolerations, ['NoExecute'])) return { shouldRun: false, mayStay: false };
    return { shouldRun: !untoleratedTaint(taints, tolerations, ['NoSchedule']), mayStay: true };
  };
}

/** What pods of a daemon set are made of. */
export interface DaemonTemplate {
  readonly template: PodTemplateSpec;
  readonly owner: Owner;
  readonly hash: string;
  /** How often the template has changed, as a text; undefined when nobody counted. */
  readonly generation: string | undefined;
}

/** Makes pods, each for the node that it is asked for; the scheduler puts them there. */
export function daemonPods(
  { template, owner, hash, generation }: DaemonTemplate,
  dialect: Dialect,
): (node: string) => Pod {
  const pod = podFromTemplate(template, owner);
  const tolerations = daemonTolerations(template.spec, dialect);
  const labels = {
    ...pod.metadata.labels,
    ...(generation !== undefined && { [generationLabel]: generation }),
    [hashLabel]: hash,
  };
  const { affinity } = pod.spec;
  return (node) => ({
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: {
      ...pod.spec,
      tolerations,
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          // The template's own terms were asked when the node was chosen.
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
          },
        },
      },
    },
  });
}

/** The node of a pod, or the one that it was made for; undefined for a pod that no daemon set made. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields } of required?.nodeSelectorTerms ?? []) {
    for (const { key, operator, values = [] } of matchFields ?? []) {
      if (key === 'metadata.name' && operator === 'In') return values.length === 1 ? values[0] : undefined;
    }
  }
  return undefined;
}
