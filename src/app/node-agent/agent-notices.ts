import type { NodeConfigStatus, Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { RuntimeListing } from '../../nodeagent/lifecycle/index.ts';
import type { NodePressure } from '../../nodeagent/node/index.ts';
import type { NodeShutdown } from '../../nodeagent/shutdown/index.ts';
import type { PodSourceName } from '../../nodeagent/sources/index.ts';
import type { Notifier } from './notifier.ts';

/** All that parts of the agent notify others of. */
export interface AgentNotices {
  /** A source has another set of pods. */
  sourceChanged: [source: PodSourceName, pods: readonly Pod[]];
  /** The API server has other mirror pods. */
  mirrorsChanged: [mirrors: readonly Pod[]];
  /** A config map or secret that a pod refers to changed. */
  objectChanged: [podUid: string];
  /** What probes say of a pod changed. */
  probeChanged: [podUid: string];
  /** The runtime has told what it has. */
  relisted: [listing: RuntimeListing];
  /** The runtime tells what it has again, or for the first time. */
  relistRecovered: [];
  /** Something of a pod came, went or changed its state in the runtime. */
  runtimeChanged: [podUid: string];
  /** A pod has this status now. */
  podStatus: [pod: Pod, status: PodStatus];
  /** Nothing of a pod runs any more, nor will. */
  podEnded: [pod: Pod];
  /** Nothing of a removed pod is left on the node. */
  podGone: [pod: Pod];
  /** The node has other devices. */
  devicesChanged: [];
  /** The node runs short of something, or no longer does. */
  pressureChanged: [pressure: NodePressure];
  /** The node shuts down; undefined: no longer. */
  shutdownChanged: [shutdown: NodeShutdown | undefined];
  /** What keeps the node's CSINode from being made; undefined: it is there. */
  csiNodeChanged: [problem: string | undefined];
  /** The node's status shows another configuration. */
  configChanged: [status: NodeConfigStatus];
}

export type AgentNotifier = Pick<Notifier<AgentNotices>, 'notify'>;
