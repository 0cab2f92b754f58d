import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { RuntimeError, type RuntimeErrorCode, type RuntimeService } from '../runtime/index.ts';
import type { PodAction } from '../sync/actions.ts';
import { hashContainer } from '../sync/desired-pod.ts';
import type { RuntimeView } from '../sync/observe-pod.ts';
import type { StartResult } from '../sync/start-failures.ts';
import type { MountedVolume } from '../volumes/index.ts';
import type { ContainerStarter, StartRequest } from './container-starter.ts';
import type { ContainerStopper } from './container-stopper.ts';
import { findContainer } from './find-container.ts';
import { KillError, type KillFailure } from './kill-error.ts';
import type { PodFiles } from './pod-files.ts';
import type { PodPreparer } from './pod-preparer.ts';
import type { SandboxMaker, UsableSandbox } from './sandbox-maker.ts';

/** What carrying plans out takes. */
export interface PlanExecutionOptions {
  readonly runtime: Pick<
    RuntimeService,
    'stopPodSandbox' | 'containerStatus' | 'removeContainer' | 'removePodSandbox'
  >;
  readonly preparer: Pick<PodPreparer, 'prepare'>;
  readonly sandboxes: Pick<SandboxMaker, 'make' | 'find'>;
  readonly starter: Pick<ContainerStarter, 'start'>;
  readonly stopper: Pick<ContainerStopper, 'stop'>;
  readonly files: Pick<PodFiles, 'removeLog' | 'removePodLogs'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A plan, and what it is carried out on. */
export interface PlanRequest {
  readonly pod: Pod;
  readonly actions: readonly PodAction[];
  /** What the plan was made from. */
  readonly view: RuntimeView;
  readonly podIp: string | undefined;
  /** From SIGTERM to SIGKILL, for containers whose hook fails. */
  readonly graceMs: number;
  /** Whether the pod goes for good: its logs go before the runtime forgets it, so that no crash leaves them behind. */
  readonly isRemoval: boolean;
  /** Nothing is started once it aborts: starts that have not begun are left out, others end where they are. */
  readonly signal: AbortSignal;
  /** Notified of each start that was tried, at its end. */
  readonly onStart: (result: StartResult) => void;
}

type ActionOf<K extends PodAction['kind']> = Extract<PodAction, { readonly kind: K }>;

/** One plan while it is carried out: later actions use what earlier ones made. */
export class PlanExecution {
  readonly #request: PlanRequest;
  readonly #options: PlanExecutionOptions;
  #volumes: ReadonlyMap<string, MountedVolume> | undefined;
  /** The sandbox that an earlier action made. */
  #made: UsableSandbox | undefined;
  /** Sandboxes that were there before, by id. */
  readonly #found = new Map<string, UsableSandbox>();
  /** Names of containers that began to run after the plan was made. */
  readonly #begun = new Set<string>();

  constructor(request: PlanRequest, options: PlanExecutionOptions) {
    this.#request = request;
    this.#options = options;
  }

  /**
   * Does what the plan says, in its order. A start that fails is reported, and the others are still tried; so are removals
   * while the pod goes, of which the first failure is told at the end. Any other failure ends the execution, once nothing of
   * it is under way. Resolves early when nothing is to be started any more. To be called once.
   *
   * @throws KillError, RuntimeError, VolumeError, CgroupError or another Error that says why
   */
  async perform(): Promise<void> {
    const { actions, signal, isRemoval } = this.#request;
    const refusals: unknown[] = [];
    for (const action of actions) {
      const isStart = action.kind === 'create-sandbox' || action.kind === 'start-container';
      if (isStart && signal.aborted) return;
      try {
        await this.#perform(action);
      } catch (error) {
        if (signal.aborted && error === signal.reason) return;
        // A sandbox lets go of its network although the runtime keeps one of its containers.
        const isRemove = action.kind === 'remove-container' || action.kind === 'remove-sandbox';
        if (!isRemoval || !isRemove || isUnanswered(error)) throw error;
        refusals.push(error);
      }
    }
    if (refusals.length > 0) throw refusals[0];
  }

  async #perform(action: PodAction): Promise<void> {
    switch (action.kind) {
      case 'stop-containers':
        return throwIfAny(await this.#stopContainers(action.stops));
      case 'stop-pod':
        return this.#stopPod(action);
      case 'create-sandbox':
        return this.#makeSandbox(action);
      case 'start-container':
        return this.#start(action);
      case 'remove-container':
        return this.#removeContainer(action.containerId);
      case 'remove-sandbox':
        return this.#removeSandbox(action.podSandboxId);
    }
  }

  /** A container that the runtime cannot end with a signal may end with its sandbox, which takes no grace. */
  async #stopPod({ stops, podSandboxIds }: ActionOf<'stop-pod'>): Promise<void> {
    const failures = await this.#stopContainers(stops);
    if (!failures.some(({ reason }) => isUnanswered(reason))) {
      failures.push(...(await this.#stopSandboxes(podSandboxIds)));
    }
    throwIfAny(failures);
  }

  #stopContainers(stops: ActionOf<'stop-containers'>['stops']): Promise<KillFailure[]> {
    const { pod, podIp } = this.#request;
    const tasks = stops.map((stop) => this.#options.stopper.stop({ pod, stop, podIp }));
    return failuresOf(tasks, (index) => ({ action: 'KillContainer', target: stops[index]?.name ?? '' }));
  }

  /** Of several that fail, the last one is told of, as in release 1.20. */
  async #stopSandboxes(ids: readonly string[]): Promise<KillFailure[]> {
    const { runtime } = this.#options;
    const target = this.#request.pod.metadata.uid ?? '';
    const tasks = ids.map((id) => runtime.stopPodSandbox(id));
    return (await failuresOf(tasks, () => ({ action: 'KillPodSandbox', target }))).slice(-1);
  }

  async #makeSandbox({ attempt }: ActionOf<'create-sandbox'>): Promise<void> {
    const { pod, signal } = this.#request;
    const volumes = await this.#prepareOnce();
    this.#made = await this.#options.sandboxes.make({ pod, attempt, volumes }, signal);
  }

  async #prepareOnce(): Promise<ReadonlyMap<string, MountedVolume>> {
    const { pod, podIp } = this.#request;
    this.#volumes ??= await this.#options.preparer.prepare(pod, podIp);
    return this.#volumes;
  }

  async #start({ name, attempt, podSandboxId }: ActionOf<'start-container'>): Promise<void> {
    const { pod, graceMs, signal, onStart } = this.#request;
    const found = findContainer(pod, name);
    if (found === undefined || this.#begun.has(name)) return;
    const volumes = await this.#prepareOnce();
    const sandbox = await this.#sandbox(podSandboxId, volumes);
    signal.throwIfAborted();
    const target = this.#targetOf(name);
    const request = { pod, ...found, attempt, sandbox, volumes, target, graceMs, signal };
    const failure = await this.#options.starter.start(request);
    onStart({
      name,
      specHash: hashContainer(found.container),
      image: found.container.image ?? '',
      ...(failure === undefined ? {} : { failure }),
      nowMs: this.#options.clock.nowMs(),
    });
  }

  /** The container whose processes an ephemeral one asks to see. */
  #targetOf(name: string): StartRequest['target'] {
    const { pod, view } = this.#request;
    const ephemeral = pod.spec.ephemeralContainers?.find((each) => each.name === name);
    const target = ephemeral?.targetContainerName ?? '';
    if (target === '') return undefined;
    const instances = view.containers.filter(({ status }) => status.metadata.name === target);
    const [newest] = instances.sort((a, b) => b.status.metadata.attempt - a.status.metadata.attempt);
    return { name: target, id: newest?.status.id };
  }

  async #sandbox(
    id: string | undefined,
    volumes: ReadonlyMap<string, MountedVolume>,
  ): Promise<UsableSandbox> {
    if (id === undefined) {
      if (this.#made === undefined) throw new Error('a container has no sandbox to be started in');
      return this.#made;
    }
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const { pod, view } = this.#request;
    const attempt = view.sandboxes.find((each) => each.id === id)?.metadata.attempt ?? 0;
    const sandbox = await this.#options.sandboxes.find(id, { pod, attempt, volumes });
    this.#found.set(id, sandbox);
    return sandbox;
  }

  /** The log goes first: once the container is gone, nobody knows the names of its files. */
  async #removeContainer(id: string): Promise<void> {
    const { pod, view } = this.#request;
    const { files, runtime, logger } = this.#options;
    const status = view.containers.find((each) => each.status.id === id)?.status;
    if (status !== undefined) {
      const { name: containerName, attempt } = status.metadata;
      if (status.state === 'created' && (await this.#hasBegun(id))) {
        this.#begun.add(containerName);
        return;
      }
      const owner = { pod, containerName, attempt, containerId: id };
      await files.removeLog(owner, status.logPath, logger);
    }
    await runtime.removeContainer(id);
  }

  /**
   * Whether a container runs, or has run, that the plan took for never started. A killed agent had asked for its start,
   * which took long: a runtime removes one that runs too, and the container would be started a second time.
   */
  async #hasBegun(id: string): Promise<boolean> {
    if (this.#request.isRemoval) return false;
    const now = await this.#options.runtime.containerStatus(id);
    return now !== undefined && now.state !== 'created';
  }

  async #removeSandbox(id: string): Promise<void> {
    const { pod, isRemoval } = this.#request;
    const { files, runtime, logger } = this.#options;
    if (isRemoval) await files.removePodLogs(pod, logger);
    await runtime.removePodSandbox(id);
  }
}

/** Waits until each of the tasks has ended, well or not. */
async function failuresOf(
  tasks: readonly Promise<void>[],
  describe: (index: number) => Omit<KillFailure, 'reason'>,
): Promise<KillFailure[]> {
  const results = await Promise.allSettled(tasks);
  return results.flatMap((result, index): KillFailure[] =>
    result.status === 'rejected' ? [{ ...describe(index), reason: result.reason }] : [],
  );
}

function throwIfAny(failures: readonly KillFailure[]): void {
  if (failures.length > 0) throw new KillError(failures);
}

const unanswered: ReadonlySet<RuntimeErrorCode> = new Set(['unavailable', 'cancelled', 'closed']);

/** Whether a call ended without the runtime: what it was to end may still be within its grace. */
function isUnanswered(reason: unknown): boolean {
  return reason instanceof RuntimeError && unanswered.has(reason.code);
}
