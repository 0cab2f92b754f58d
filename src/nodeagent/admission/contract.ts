import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AppArmorHost } from '../host/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { PodBlock } from '../sync/pod-input.ts';

/** The node as admission looks at it. */
export interface AdmittingNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Quantities by name of the resource. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** What the node runs short of now. */
  readonly pressure: { readonly memory: boolean; readonly disk: boolean; readonly pid: boolean };
}

/** What a pod's admission is decided from. */
export interface AdmitPodOptions {
  readonly pod: Pod;
  /** Pods that were admitted before and have not ended, without the pod itself. */
  readonly others: readonly Pod[];
  readonly node: AdmittingNode;
  /** Whether a pod, this one or another, comes from elsewhere than the API server, or mirrors one that does. */
  readonly isStatic: (pod: Pod) => boolean;
  readonly config: Pick<AgentConfig, 'features' | 'allowedUnsafeSysctls'>;
  /** Why the pod cannot have what only one pod can have at a time, such as processors; undefined when it can. */
  readonly resourceRefusal?: Pick<PodRefusal, 'reason' | 'message'> | undefined;
  /** That of the machine when left out. */
  readonly appArmor?: AppArmorHost | undefined;
  readonly dialect: Dialect;
}

/** Why a pod is not run at all: it fails for good. */
export interface PodRefusal {
  /** Of the pod's status and the event, such as `OutOfcpu`. */
  readonly reason: string;
  /** Of the event, which is a warning about the pod. */
  readonly message: string;
  /** Of the pod's status. */
  readonly statusMessage: string;
}

/** How an admitted pod is run. */
export interface PodTerms {
  /** Why nothing of a pod that has not begun can be run now; undefined when it can. Never rejects. */
  readonly findBlock: (pod: Pod) => Promise<PodBlock | undefined>;
  /** Whether its ephemeral containers are started; they are left alone otherwise. */
  readonly runsEphemeral: boolean;
}

/** Whether a pod is run. */
export type Admission =
  | {
      readonly kind: 'admitted';
      /** Pods that must end first to make room for a critical one, in order; most often none. */
      readonly preempts: readonly Pod[];
      /** Resource for want of which they must; none must when left out. */
      readonly shortage?: string | undefined;
      /** Nothing in particular when left out. */
      readonly terms?: PodTerms | undefined;
    }
  | ({ readonly kind: 'refused' } & PodRefusal);
