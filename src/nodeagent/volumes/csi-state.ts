import type { CSIDriverSpec } from '../../apis/types/storage-v1.ts';
import type { Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { CsiDriver } from '../csi/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { CsiPaths } from './csi-files.ts';
import type { CsiSource } from './csi-source.ts';
import { describeError } from './describe-error.ts';
import type { Attacher } from './flex-devices.ts';
import type { MountCommands } from './mount-commands.ts';
import { MountStepError } from './mount-step-error.ts';
import type { PodQueues } from './pod-queues.ts';
import type { VolumeJob } from './volume-tools.ts';

/** Features of drivers' volumes that gates switch. */
export interface CsiFeatures {
  readonly CSIInlineVolume: boolean;
  readonly CSIVolumeFSGroupPolicy: boolean;
  readonly CSIServiceAccountToken: boolean;
  readonly ExpandCSIVolumes: boolean;
  readonly ExpandPersistentVolumes: boolean;
  readonly ExpandInUsePersistentVolumes: boolean;
}

/** What volumes of drivers are made with. */
export interface CsiVolumesOptions {
  readonly rootDirectory: string;
  /** @throws Error with release 1.20's message when no driver of the name is registered */
  readonly drivers: { get(name: string): CsiDriver };
  readonly attacher: Attacher;
  readonly nodeName: string;
  readonly features: CsiFeatures;
  /** Names of the volumes that the node's status shows as in use; kept up to date. */
  readonly used: Set<string>;
  readonly dialect: Dialect;
  readonly objects: AgentObjects;
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/** What is known of drivers' volumes while the agent runs: a later process stages and publishes them again. */
export interface CsiState extends CsiVolumesOptions {
  /** Name of the plugin, such as `orch.io/csi`. */
  readonly plugin: string;
  readonly paths: CsiPaths;
  /** Pods that share a volume take turns. */
  readonly queues: PodQueues;
  /** By staging path: the volume that pods use it for, as the node's status names it. */
  readonly holders: Map<string, string>;
  /** Staging paths that are done. */
  readonly staged: Set<string>;
  /** Target paths that are done. */
  readonly published: Set<string>;
  /** Target paths at which drivers have refused to publish, and left nothing. */
  readonly refused: Set<string>;
  /** Bytes that volumes have grown to, by their names: claims that were read before say less. */
  readonly expanded: Map<string, number>;
}

/** One volume on its way into one pod. */
export interface CsiJob {
  readonly job: VolumeJob;
  readonly source: CsiSource;
  /** What the cluster says of the driver; undefined when it says nothing. */
  readonly spec: CSIDriverSpec | undefined;
}

/** Names the step that an error belongs to, unless it names one itself. @throws MountStepError */
export async function inStep<T>(step: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof MountStepError) throw cause;
    throw new MountStepError(step, describeError(cause), { cause });
  }
}
