import type { Pod, Secret } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import { ContainerConfigError, type ContainerPlan } from '../container-config/index.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import { type ImagePuller, StartError } from '../images/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import type { LifecycleHooks } from '../probes/index.ts';
import { type Image, type RuntimeService, runtimeFailureDetail } from '../runtime/index.ts';
import type { ConfigureRequest, ContainerConfigurer, ContainerCpus } from './container-configurer.ts';
import type { ContainerStopper } from './container-stopper.ts';
import type { PodFiles } from './pod-files.ts';
import type { UsableSandbox } from './sandbox-maker.ts';

/** What starting containers takes. */
export interface ContainerStarterOptions {
  readonly runtime: Pick<RuntimeService, 'createContainer' | 'startContainer'>;
  readonly images: ImagePuller;
  readonly configurer: Pick<ContainerConfigurer, 'configure'>;
  readonly stopper: Pick<ContainerStopper, 'stop'>;
  readonly hooks: Pick<LifecycleHooks, 'postStart'>;
  /** Undefined: there is no API server to ask for pull secrets. */
  readonly objects: Pick<AgentObjects, 'secret'> | undefined;
  /** Undefined: containers may use all CPUs. */
  readonly cpus: Pick<ContainerCpus, 'noteCreated'> | undefined;
  readonly files: Pick<PodFiles, 'linkLog'>;
  readonly events: EventRecorder;
  readonly logger: Logger;
}

/** A container that is to start. */
export interface StartRequest extends ConfigureRequest {
  readonly sandbox: UsableSandbox;
  /** Nothing is to be started any more: ends a pull or a hook that is under way, and leaves out what would come next. */
  readonly signal: AbortSignal;
  /** From SIGTERM to SIGKILL, should the container have to be stopped again. */
  readonly graceMs: number;
}

/** Why a start came to nothing, as the status of the container shows it. */
export interface StartProblem {
  readonly reason: string;
  readonly message: string;
}

/** A start that failed; its event is recorded. */
class FailedStart extends Error {
  readonly problem: StartProblem;

  constructor(problem: StartProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Starts containers. Every step and failure is recorded as an event. */
export class ContainerStarter {
  readonly #options: ContainerStarterOptions;

  constructor(options: ContainerStarterOptions) {
    this.#options = options;
  }

  /**
   * Gets the image, makes a container, starts it and runs its postStart hook. Resolves with what went wrong, undefined
   * when nothing did.
   *
   * @throws the reason of the signal once that aborts, and nothing else
   */
  async start(request: StartRequest): Promise<StartProblem | undefined> {
    const { signal } = request;
    try {
      const image = await this.#findImage(request);
      signal.throwIfAborted();
      const plan = await this.#configure(request, image);
      signal.throwIfAborted();
      const id = await this.#create(request, plan);
      signal.throwIfAborted();
      await this.#start(request, id);
      await this.#runPostStart(request, id);
      return undefined;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof FailedStart) return error.problem;
      if (error instanceof StartError) return { reason: error.reason, message: error.message };
      this.#options.logger.error('container start failed', { ...describe(request), error });
      return { reason: 'CreateContainerError', message: runtimeFailureDetail(error) };
    }
  }

  async #findImage({ pod, container, list, sandbox, signal }: StartRequest): Promise<Image> {
    const pullSecrets = await this.#findPullSecrets(pod);
    const fieldPath = containerFieldPath(list, container.name);
    const sandboxConfig = sandbox.config;
    return this.#options.images.ensure({ pod, container, fieldPath, sandboxConfig, pullSecrets, signal });
  }

  /** Those that exist: the pull says it when they are needed. */
  async #findPullSecrets({ metadata, spec }: Pod): Promise<readonly Secret[]> {
    const { objects, logger } = this.#options;
    if (objects === undefined) return [];
    const found: Secret[] = [];
    for (const { name = '' } of spec.imagePullSecrets ?? []) {
      try {
        const secret = await objects.secret(metadata.namespace ?? '', name);
        if (secret !== undefined) found.push(secret);
      } catch (error) {
        logger.error('image pull secret read failed', { namespace: metadata.namespace, name, error });
      }
    }
    return found;
  }

  async #configure(request: StartRequest, image: Image): Promise<ContainerPlan> {
    const { configurer, logger } = this.#options;
    try {
      return await configurer.configure(request, image);
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) {
        logger.error('container configuration failed', { ...describe(request), error });
      }
      const message = runtimeFailureDetail(error);
      throw this.#fail(request, { reason: 'CreateContainerConfigError', message });
    }
  }

  async #create(request: StartRequest, { config }: ContainerPlan): Promise<string> {
    const { sandbox, container } = request;
    const { runtime, cpus } = this.#options;
    try {
      const options = { podSandboxId: sandbox.id, config, sandboxConfig: sandbox.config };
      const id = await runtime.createContainer(options);
      if (config.resources?.cpusetCpus) cpus?.noteCreated(id, config.resources.cpusetCpus);
      this.#record(request, 'Created', `Created container ${container.name}`);
      return id;
    } catch (error) {
      throw this.#fail(request, { reason: 'CreateContainerError', message: runtimeFailureDetail(error) });
    }
  }

  async #start(request: StartRequest, id: string): Promise<void> {
    const { pod, container, attempt } = request;
    const { runtime, files, logger } = this.#options;
    const owner = { pod, containerName: container.name, attempt, containerId: id };
    await files.linkLog(owner, logger);
    try {
      await runtime.startContainer(id);
    } catch (error) {
      throw this.#fail(request, { reason: 'RunContainerError', message: runtimeFailureDetail(error) });
    }
    this.#record(request, 'Started', `Started container ${container.name}`);
  }

  async #runPostStart(request: StartRequest, id: string): Promise<void> {
    const { pod, container, sandbox, graceMs, signal } = request;
    const { hooks, stopper, logger } = this.#options;
    const podIp = sandbox.ips[0];
    const failure = await hooks.postStart({ pod, container, containerId: id, podIp }, signal);
    if (failure === undefined) return;
    signal.throwIfAborted(); // whoever gave up ends it in another way
    const stop = { containerId: id, name: container.name, graceMs, message: 'FailedPostStartHook' };
    await stopper.stop({ pod, stop, podIp }).catch((error: unknown) => {
      logger.error('container stop after failed postStart hook failed', { ...describe(request), error });
    });
    throw new FailedStart(failure);
  }

  #record({ pod, container, list }: StartRequest, reason: string, message: string): void {
    const about = { kind: 'pod', pod, fieldPath: containerFieldPath(list, container.name) } as const;
    this.#options.events.record({ about, type: 'Normal', reason, message });
  }

  #fail({ pod, container, list }: StartRequest, problem: StartProblem): FailedStart {
    const about = { kind: 'pod', pod, fieldPath: containerFieldPath(list, container.name) } as const;
    const message = `Error: ${problem.message}`;
    this.#options.events.record({ about, type: 'Warning', reason: 'Failed', message });
    return new FailedStart(problem);
  }
}

const describe = ({ pod: { metadata }, container }: StartRequest) => ({
  pod: `${metadata.namespace}/${metadata.name}`,
  container: container.name,
});
