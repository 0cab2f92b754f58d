import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  buildContainerConfig,
  ContainerConfigError,
  type ContainerPlan,
  type DeviceAdditions,
  type NodeSettings,
} from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { type AgentObjects, gatherConfigSources } from '../objects/index.ts';
import type { Image } from '../runtime/index.ts';
import { isStaticPod } from '../sources/index.ts';
import { hashContainer } from '../sync/desired-pod.ts';
import type { MountedVolume, PodVolumes } from '../volumes/index.ts';
import type { FoundContainer } from './find-container.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodFiles } from './pod-files.ts';
import { recordNotices } from './record-notices.ts';
import { groupsOf, type UsableSandbox } from './sandbox-maker.ts';
import { within } from './within.ts';

/** Length of the names of files for termination messages. */
const logNameLength = 8;
/** How long a container waits for the first list of services, whose addresses its environment names. */
const servicesTimeoutMs = 5000;

/** Says which CPUs containers may use. */
export interface ContainerCpus {
  /** Such as `0-2,4`. @throws Error when that cannot be kept on disk */
  cpusFor(podUid: string, container: string): Promise<string>;
  /** A container was made with such an answer. */
  noteCreated(containerId: string, cpus: string): void;
}

/** Says what containers are made with to have their devices. */
export interface ContainerDevices {
  /** Undefined: the container asks for none. @throws Error when it cannot have them */
  additionsFor(pod: Pod, container: Container): Promise<DeviceAdditions | undefined>;
}

/** What configuring containers takes. */
export interface ContainerConfigurerOptions {
  readonly volumes: Pick<PodVolumes, 'prepareSubPaths'>;
  readonly files: Pick<PodFiles, 'write' | 'readNodeHosts'>;
  /** Undefined: there is no API server to ask. */
  readonly objects:
    | Pick<AgentObjects, 'configMap' | 'secret' | 'services' | 'whenServicesSynced'>
    | undefined;
  /** Undefined: containers may use all CPUs. */
  readonly cpus: ContainerCpus | undefined;
  /** Undefined: there are no devices of plugins. */
  readonly devices: ContainerDevices | undefined;
  readonly settings: () => NodeSettings;
  readonly nodeInfo: () => NodeInfo;
  /** As many hexadecimal digits as asked for, which cannot be guessed. */
  readonly randomHex: (length: number) => string;
  readonly events: EventRecorder;
  readonly dialect: Dialect;
  readonly clock: Clock;
}

/** What the configuration of a container is made from. */
export interface ConfigureRequest extends FoundContainer {
  readonly pod: Pod;
  /** Instances that the container had before. */
  readonly attempt: number;
  readonly sandbox: Pick<UsableSandbox, 'ips'>;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
  /** Container whose processes it is to see, without an id when there is none such; most often left out. */
  readonly target?: { readonly name: string; readonly id: string | undefined } | undefined;
}

/** Puts the configurations of containers together, and on disk what they mount. */
export class ContainerConfigurer {
  readonly #options: ContainerConfigurerOptions;

  constructor(options: ContainerConfigurerOptions) {
    this.#options = options;
  }

  /**
   * The runtime's configuration of a container; its files and sub-paths are there.
   *
   * @throws ContainerConfigError for what the pod asks for and cannot have, another Error for what the node could not
   * do
   */
  async configure(request: ConfigureRequest, image: Image): Promise<ContainerPlan> {
    const { pod, container } = request;
    const { volumes, files, events } = this.#options;
    const plan = await this.#plan(request, image);
    recordNotices(pod, plan.notices, events);
    await volumes.prepareSubPaths({
      podUid: pod.metadata.uid ?? '',
      containerName: container.name,
      subPaths: plan.subPaths,
    });
    await Promise.all(plan.files.map((file) => files.write(file)));
    return plan;
  }

  async #plan(request: ConfigureRequest, image: Image): Promise<ContainerPlan> {
    const { pod, container, attempt, sandbox, volumes, target } = request;
    if (target !== undefined && target.id === undefined) {
      throw new ContainerConfigError(`unable to find target container ${target.name}`);
    }
    const { objects, settings, nodeInfo, randomHex, files, cpus, devices } = this.#options;
    const { hostIps, allocatable } = nodeInfo();
    await this.#waitForServices(pod);
    const sources = objects && (await gatherConfigSources(pod, container, objects));
    const additions = await devices?.additionsFor(pod, container);
    return buildContainerConfig({
      ...(additions === undefined ? {} : { additions }),
      pod,
      container,
      specHash: hashContainer(container),
      attempt,
      image: image.id,
      imageUser: image,
      node: settings(),
      volumes,
      services: objects?.services() ?? [],
      sources,
      allocatable,
      terminationLogName: randomHex(logNameLength),
      nodeHostsFile: pod.spec.hostNetwork === true ? await files.readNodeHosts() : '',
      extraGroups: groupsOf(volumes),
      targetContainerId: target?.id,
      podIps: sandbox.ips,
      hostIps,
      cpusetCpus: await cpus?.cpusFor(pod.metadata.uid ?? '', container.name),
    });
  }

  /**
   * Static pods do not wait: the API server itself may be one of them. Source: release 1.20.
   *
   * @throws ContainerConfigError when the API server has not told the services in time
   */
  async #waitForServices(pod: Pod): Promise<void> {
    const { objects, clock, dialect } = this.#options;
    if (objects === undefined || isStaticPod(pod, dialect)) return;
    const message = 'services have not yet been read at least once, cannot construct envvars';
    const onLate = (): Error => new ContainerConfigError(message);
    await within(objects.whenServicesSynced, { clock, timeoutMs: servicesTimeoutMs, onLate });
  }
}
