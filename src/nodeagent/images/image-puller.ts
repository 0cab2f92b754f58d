import type { Container, Pod, Secret } from '../../apis/types/core-v1.ts';
import { type Clock, errorText, type Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import {
  formatRuntimeFailure,
  type Image,
  type ImageService,
  type PodSandboxConfig,
} from '../runtime/index.ts';
import type { CredentialSource } from './credential-source.ts';
import { type ImageName, ImageNameError, parseImageName } from './image-name.ts';
import { pullImage } from './pull-image.ts';
import { createPullBackOffs, createPullLimits, type PullBackOffs, type PullLimits } from './pull-limits.ts';
import { StartError } from './start-error.ts';

/** The container whose image must be present, and the secrets that it may be pulled with. */
export interface EnsureImageOptions {
  readonly pod: Pod;
  readonly container: Container;
  /** Of the container in its pod, such as `spec.containers{web}`. */
  readonly fieldPath: string;
  readonly sandboxConfig: PodSandboxConfig;
  /** The pod's `imagePullSecrets` that exist, in their order. */
  readonly pullSecrets: readonly Secret[];
  /** Gives the pull up; `ensure` then rejects with `ErrImagePull`. */
  readonly signal?: AbortSignal | undefined;
}

/** Gets images for containers, by their pull policies. */
export interface ImagePuller {
  /**
   * Ensures that the container's image is present, and resolves with it. Records the events of release 1.20, also the
   * final `Error: ...` of a failure. Five seconds after a failed pull, it records that the container waits (`BackOff`),
   * unless the image was requested again. An aborted pull records nothing.
   *
   * @throws StartError and nothing else
   */
  ensure(options: EnsureImageOptions): Promise<Image>;
}

/** The runtime's image service, and the limits that pulls of all pods share. */
export interface ImagePullerOptions {
  readonly images: ImageService;
  readonly events: EventRecorder;
  readonly config: Pick<AgentConfig, 'serializeImagePulls' | 'registryQps' | 'registryBurst'>;
  /** Credentials beside those of the pods' secrets, in order of preference. */
  readonly credentialSources?: readonly CredentialSource[];
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A puller with its own queue, rate and memory of failed pulls. */
export function createImagePuller(options: ImagePullerOptions): ImagePuller {
  return new Puller(options);
}

/** How long statuses show the error of a pull before they show the wait for the next one. */
const waitShownAfterMs = 5000;

type Task = Pick<EnsureImageOptions, 'pod' | 'container' | 'fieldPath'>;

class Puller implements ImagePuller {
  readonly #options: ImagePullerOptions;
  readonly #limits: PullLimits;
  readonly #backOffs: PullBackOffs;
  /** Cancels the event that a container waits, by its pod and place in it. */
  readonly #announcements = new Map<string, () => void>();

  constructor(options: ImagePullerOptions) {
    const { config, clock } = options;
    this.#options = options;
    this.#limits = createPullLimits({
      isSerial: config.serializeImagePulls,
      qps: config.registryQps,
      burst: config.registryBurst,
      clock,
    });
    this.#backOffs = createPullBackOffs(clock);
  }

  async ensure(options: EnsureImageOptions): Promise<Image> {
    this.#announcements.get(placeOf(options))?.();
    try {
      return await this.#find(options);
    } catch (error) {
      // Only failures from before the pull arrive here without being a StartError.
      const failure =
        error instanceof StartError
          ? error
          : new StartError('ImageInspectError', formatRuntimeFailure(error), { cause: error });
      if (!options.signal?.aborted) this.#warn(options, 'Failed', `Error: ${failure.reason}`);
      throw failure;
    }
  }

  async #find(options: EnsureImageOptions): Promise<Image> {
    const { container } = options;
    const image = container.image ?? '';
    const name = this.#parseName(options);
    const present = await this.#inspect(options, name.pullName);
    const policy = container.imagePullPolicy;
    if (present !== undefined && policy !== 'Always') {
      this.#record(options, 'Normal', 'Pulled', `Container image "${image}" already present on machine`);
      return present;
    }
    if (policy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      this.#warn(options, 'ErrImageNeverPull', message);
      throw new StartError('ErrImageNeverPull', message);
    }
    return await this.#pull(options, name);
  }

  #parseName(options: EnsureImageOptions): ImageName {
    const image = options.container.image ?? '';
    try {
      return parseImageName(image);
    } catch (error) {
      if (!(error instanceof ImageNameError)) throw error;
      const message = `Failed to apply default image tag ${JSON.stringify(image)}: ${error.message}`;
      this.#warn(options, 'InspectFailed', message);
      throw new StartError('InvalidImageName', message, { cause: error });
    }
  }

  async #inspect(options: EnsureImageOptions, name: string): Promise<Image | undefined> {
    try {
      return await this.#options.images.imageStatus(name);
    } catch (error) {
      const message = `Failed to inspect image "${options.container.image}": ${formatRuntimeFailure(error)}`;
      this.#warn(options, 'InspectFailed', message);
      throw new StartError('ImageInspectError', message, { cause: error });
    }
  }

  async #pull(options: EnsureImageOptions, name: ImageName): Promise<Image> {
    const { pod, container } = options;
    const key = `${pod.metadata.uid}_${container.image}`;
    if (this.#backOffs.isWaiting(key)) {
      this.#record(options, 'Normal', 'BackOff', backOffText(options));
      throw new StartError('ImagePullBackOff', backOffText(options));
    }
    const { clock } = this.#options;
    this.#record(options, 'Normal', 'Pulling', `Pulling image "${container.image}"`);
    const startedAtMs = clock.nowMs();
    const id = await this.#fetch(options, name).catch((error: unknown) => {
      const message = errorText(error);
      // An abort by the caller is no failure of the image.
      if (options.signal?.aborted) throw new StartError('ErrImagePull', message, { cause: error });
      this.#backOffs.extend(key);
      this.#warn(options, 'Failed', `Failed to pull image "${container.image}": ${message}`);
      this.#announceWait(options);
      throw new StartError('ErrImagePull', message, { cause: error });
    });
    const took = formatDurationMs(Math.max(0, Math.round(clock.nowMs() - startedAtMs)));
    this.#record(options, 'Normal', 'Pulled', `Successfully pulled image "${container.image}" in ${took}`);
    this.#backOffs.sweep();
    const pulled = await this.#inspect(options, id);
    if (pulled !== undefined) return pulled;
    throw new StartError('ImageInspectError', `image ${JSON.stringify(container.image)} not found`);
  }

  #fetch({ pod, pullSecrets, sandboxConfig, signal }: EnsureImageOptions, name: ImageName): Promise<string> {
    const { images, credentialSources = [], dialect, logger } = this.#options;
    return this.#limits.inTurn(async () => {
      if (!this.#limits.tryTake()) throw new Error('pull QPS exceeded');
      signal?.throwIfAborted();
      logger.debug('image pull started', { image: name.pullName, pod: pod.metadata.uid });
      const pull = { name, secrets: pullSecrets, podSandboxConfig: sandboxConfig, signal };
      return await pullImage({ images, credentialSources, dialect }, pull);
    });
  }

  /**
   * Records the event that the container waits: the image is not requested again before the wait is over, so no other
   * event would say it.
   */
  #announceWait({ pod, container, fieldPath }: Task): void {
    const task = { pod, container, fieldPath };
    const place = placeOf(task);
    const stop = this.#options.clock.setTimer(waitShownAfterMs, () => {
      this.#announcements.delete(place);
      this.#record(task, 'Normal', 'BackOff', backOffText(task));
      this.#warn(task, 'Failed', 'Error: ImagePullBackOff');
    });
    this.#announcements.set(place, () => {
      stop();
      this.#announcements.delete(place);
    });
  }

  #warn(task: Task, reason: string, message: string): void {
    this.#record(task, 'Warning', reason, message);
  }

  #record({ pod, fieldPath }: Task, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.events.record({ about: { kind: 'pod', pod, fieldPath }, type, reason, message });
  }
}

const backOffText = ({ container }: Task): string => `Back-off pulling image "${container.image}"`;

const placeOf = ({ pod, fieldPath }: Task): string => `${pod.metadata.uid} ${fieldPath}`;
