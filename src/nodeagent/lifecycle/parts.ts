import { everyContainer } from '../../apis/core/pod-spec/index.ts';
import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodCgroups } from '../cgroups/index.ts';
import type { NodeSettings } from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ImagePuller } from '../images/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { LifecycleHooks, Prober } from '../probes/index.ts';
import type { RuntimeService } from '../runtime/index.ts';
import type { PlanGarbageOptions } from '../sync/index.ts';
import type { PodVolumes } from '../volumes/index.ts';
import { machineFiles, type PodFiles } from './pod-files.ts';
import type { PodMeasures } from './pod-measures.ts';

/** What the node is like at the moment, as far as pods on it see that. */
export interface PodSurroundings {
  /** Addresses of the node, the first one first. */
  readonly hostIps: readonly string[];
  /** What pods may use. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Why pods cannot have a network of their own now; undefined when they can. */
  readonly networkProblem: string | undefined;
}

/** Says which processors containers may use. */
export interface ContainerProcessors {
  /** Such as `0-2,4`. @throws Error when that cannot be kept on disk */
  cpusFor(podUid: string, container: string): Promise<string>;
  /** A container was made with such an answer. */
  noteCreated(containerId: string, cpus: string): void;
}

/** What running pods takes. */
export interface LifecycleParts {
  readonly runtime: RuntimeService;
  readonly images: ImagePuller;
  readonly volumes: PodVolumes;
  /** Undefined: the agent keeps no control groups of pods. */
  readonly cgroups: PodCgroups | undefined;
  /** Undefined: containers may use all processors. */
  readonly processors?: ContainerProcessors | undefined;
  readonly prober: Prober;
  readonly hooks: LifecycleHooks;
  readonly events: EventRecorder;
  /** Those of the machine when left out. */
  readonly files?: PodFiles | undefined;
  /** Undefined: there is no API server to ask. */
  readonly objects: AgentObjects | undefined;
  readonly settings: () => NodeSettings;
  readonly surroundings: () => PodSurroundings;
  /** Leads the ids of containers in statuses, such as `containerd`. */
  readonly runtimeName: () => string;
  /** So many hexadecimal digits that nobody can guess. */
  readonly randomHex: (length: number) => string;
  /** Whether volumes of pods that have ended stay mounted. */
  readonly keepsVolumes: boolean;
  /** Longest time between two looks at a pod, and between renewals of the contents of its volumes. */
  readonly syncFrequencyMs: number;
  /** Which ended containers are kept. */
  readonly garbage: Pick<PlanGarbageOptions, 'keepPerContainer' | 'minAgeMs'>;
  /** Left out: nobody counts. */
  readonly measures?: PodMeasures | undefined;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where files of pods are kept. */
export const filesOf = ({ files = machineFiles }: LifecycleParts): PodFiles => files;

/** A container of a pod, and where in it it is. */
export interface FoundContainer {
  readonly container: Container;
  readonly list: 'containers' | 'initContainers' | 'ephemeralContainers';
}

/** Looks a container of any kind up by name. */
export function findContainer({ spec }: Pod, name: string): FoundContainer | undefined {
  return everyContainer(spec).find(({ container }) => container.name === name);
}
