import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ContainerRuntime,
  PodSandboxConfig,
  RuntimeService,
} from '../../../src/nodeagent/runtime/index.ts';
import type { PodAction } from '../../../src/nodeagent/sync/actions.ts';
import type { BackOffs } from '../../../src/nodeagent/sync/back-off.ts';
import { toObservedPod } from '../../../src/nodeagent/sync/observe-pod.ts';
import { planRemoval } from '../../../src/nodeagent/sync/plan-end.ts';
import { planGarbage } from '../../../src/nodeagent/sync/plan-garbage.ts';
import { planPod } from '../../../src/nodeagent/sync/plan-pod.ts';
import type { DesiredPod, ObservedPod } from '../../../src/nodeagent/sync/pod-state.ts';
import { testImages } from '../../support/containerd-images.ts';

const hashAnnotation = 'test.spec-hash';
const uidLabel = 'test.pod-uid';
const maxRounds = 50;

/** The shortest loop that runs one pod: look, plan, act. Its time can be moved on past back-offs. */
export class PodLoop {
  /** What each container runs, by name. */
  readonly commands: Map<string, readonly string[]>;
  pod: DesiredPod;
  aheadMs = 0;
  readonly #runtime: RuntimeService;
  readonly #config: Omit<PodSandboxConfig, 'metadata'>;
  #backOffs: BackOffs = new Map();

  constructor(
    { runtime }: ContainerRuntime,
    pod: DesiredPod,
    commands: Readonly<Record<string, readonly string[]>>,
    place: { readonly folder: string; readonly cgroupParent: string },
  ) {
    this.#runtime = runtime;
    this.pod = pod;
    this.commands = new Map(Object.entries(commands));
    this.#config = {
      hostname: pod.name,
      logDirectory: join(place.folder, 'logs', pod.uid),
      cgroupParent: place.cgroupParent,
      labels: { [uidLabel]: pod.uid },
    };
  }

  async observe(): Promise<ObservedPod> {
    const labels = { [uidLabel]: this.pod.uid };
    const [sandboxes, containers] = await Promise.all([
      this.#runtime.listPodSandboxes({ labels }),
      this.#runtime.listContainers({ labels }),
    ]);
    const view = {
      sandboxes: await Promise.all(sandboxes.map(({ id }) => this.#runtime.podSandboxStatus(id))),
      containers: await Promise.all(
        containers.map(async ({ id, podSandboxId }) => {
          return { podSandboxId, status: await this.#runtime.containerStatus(id) };
        }),
      ),
    };
    return toObservedPod(
      {
        sandboxes: view.sandboxes.filter((each) => each !== undefined),
        containers: view.containers.flatMap(({ podSandboxId, status }) =>
          status === undefined ? [] : [{ podSandboxId, status }],
        ),
      },
      { hashAnnotation, healthOf: () => 'fine' },
    );
  }

  /** Plans and acts once. Gives how many actions that took, and who waits. */
  async sync(): Promise<{ readonly actions: readonly PodAction[]; readonly waiting: readonly string[] }> {
    const nowMs = Date.now() + this.aheadMs;
    const observed = await this.observe();
    const plan = planPod({ desired: this.pod, observed, backOffs: this.#backOffs, nowMs });
    this.#backOffs = plan.backOffs;
    await this.#perform(plan.actions, observed);
    return { actions: plan.actions, waiting: plan.waiting.map(({ name }) => name) };
  }

  /** Syncs until `isReached` holds. @throws Error when it never does. */
  async until(isReached: (observed: ObservedPod) => boolean): Promise<ObservedPod> {
    for (let round = 0; round < maxRounds; round++) {
      await this.sync();
      const observed = await this.observe();
      if (isReached(observed)) return observed;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`never reached; last seen: ${JSON.stringify(await this.observe())}`);
  }

  async collectGarbage(): Promise<void> {
    const observed = await this.observe();
    const options = { keepPerContainer: 1, minAgeMs: 0, nowMs: Date.now() };
    await this.#perform(planGarbage(observed, options), observed);
  }

  async remove(): Promise<void> {
    const observed = await this.observe();
    await this.#perform(planRemoval(observed, { graceMs: 0 }), observed);
  }

  async #perform(actions: readonly PodAction[], { sandboxes }: ObservedPod): Promise<void> {
    const attempts = new Map(sandboxes.map(({ id, attempt }) => [id, attempt]));
    let created: string | undefined;
    for (const action of actions) {
      created = (await this.#act(action, created, attempts)) ?? created;
    }
  }

  async #act(
    action: PodAction,
    created: string | undefined,
    attempts: Map<string, number>,
  ): Promise<string | undefined> {
    const runtime = this.#runtime;
    switch (action.kind) {
      case 'stop-pod':
      case 'stop-containers':
        await Promise.all(
          action.stops.map(({ containerId, graceMs }) =>
            runtime.stopContainer(containerId, { timeoutMs: graceMs }),
          ),
        );
        if (action.kind === 'stop-pod') await Promise.all(action.podSandboxIds.map(runtime.stopPodSandbox));
        return undefined;
      case 'create-sandbox': {
        await mkdir(this.#config.logDirectory ?? '', { recursive: true });
        const id = await runtime.runPodSandbox({ config: this.#sandboxConfig(action.attempt) });
        attempts.set(id, action.attempt);
        return id;
      }
      case 'start-container': {
        const podSandboxId = action.podSandboxId ?? created ?? '';
        await this.#start(action.name, action.attempt, podSandboxId, attempts.get(podSandboxId) ?? 0);
        return undefined;
      }
      case 'remove-container':
        await runtime.removeContainer(action.containerId);
        return undefined;
      case 'remove-sandbox':
        await runtime.removePodSandbox(action.podSandboxId);
        return undefined;
    }
  }

  async #start(name: string, attempt: number, podSandboxId: string, sandboxAttempt: number): Promise<void> {
    const { initContainers, containers } = this.pod;
    const specHash = [...initContainers, ...containers].find((each) => each.name === name)?.specHash ?? '';
    const id = await this.#runtime.createContainer({
      podSandboxId,
      sandboxConfig: this.#sandboxConfig(sandboxAttempt),
      config: {
        metadata: { name, attempt },
        image: testImages.busybox,
        command: this.commands.get(name),
        labels: { [uidLabel]: this.pod.uid },
        annotations: { [hashAnnotation]: specHash },
        logPath: `${name}-${attempt}.log`,
      },
    });
    await this.#runtime.startContainer(id);
  }

  #sandboxConfig(attempt: number): PodSandboxConfig {
    const { name, namespace, uid } = this.pod;
    return { ...this.#config, metadata: { name, namespace, uid, attempt } };
  }
}
