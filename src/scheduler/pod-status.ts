import type { Pod, PodCondition } from '../apis/types/core-v1.ts';
import type { Clock } from '../base/index.ts';
import { type RestRequest, resourcePath } from '../client/rest/index.ts';
import { formatTime } from '../machinery/values/index.ts';

/** What a pod is told of its placement. */
export interface PlacementReport {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  /** The node where room is made for it. */
  readonly nominatedNode: string | undefined;
}

/** The request that writes why a pod waits; undefined when its status says so already. */
export function reportRequest(pod: Pod, report: PlacementReport, clock: Clock): RestRequest | undefined {
  const { reason, message, nominatedNode } = report;
  const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const isKnown = known?.status === 'False' && known.reason === reason && known.message === message;
  const isNominated = nominatedNode === undefined || pod.status?.nominatedNodeName === nominatedNode;
  if (isKnown && isNominated) return undefined;
  const since = known?.status === 'False' ? known.lastTransitionTime : undefined;
  const condition: PodCondition = {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastProbeTime: null,
    lastTransitionTime: since ?? formatTime(clock.nowMs()),
  };
  return statusPatch(pod, {
    ...(isKnown ? {} : { conditions: [condition] }),
    ...(isNominated ? {} : { nominatedNodeName: nominatedNode }),
  });
}

/** The request that takes back that room is made for a pod. */
export const unnominateRequest = (pod: Pod): RestRequest => statusPatch(pod, { nominatedNodeName: null });

function statusPatch({ metadata }: Pod, status: object): RestRequest {
  const { namespace, name, uid } = metadata;
  return {
    method: 'PATCH',
    path: resourcePath({
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace,
      name,
      subresource: 'status',
    }),
    contentType: 'application/strategic-merge-patch+json',
    body: { metadata: { uid }, status },
  };
}

/** The request that ends a pod which gives way. */
export function evictRequest({ metadata }: Pod): RestRequest {
  const { namespace, name, uid } = metadata;
  return {
    method: 'DELETE',
    path: resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name }),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } },
  };
}
