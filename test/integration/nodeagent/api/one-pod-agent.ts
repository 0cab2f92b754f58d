import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Container as ContainerSpec,
  ContainerState,
  ContainerStatus as ContainerStatusObject,
  Pod,
} from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AgentView } from '../../../../src/nodeagent/api/index.ts';
import {
  containerLabels,
  containerLogPath,
  podCgroupParent,
  sandboxLabels,
} from '../../../../src/nodeagent/container-config/index.ts';
import type {
  ContainerRuntime,
  ContainerStatus,
  PodSandboxConfig,
} from '../../../../src/nodeagent/runtime/index.ts';
import type { Containerd } from '../../../support/containerd.ts';
import { eventually } from '../../../support/eventually.ts';

/** The shortest agent that servers can ask: it runs one pod, once, on a real runtime. */
export class OnePodAgent implements AgentView {
  readonly #pod: Pod;
  readonly #driver: ContainerRuntime;
  readonly #folder: string;
  readonly #sandboxConfig: PodSandboxConfig;
  readonly #attempts = new Map<string, string[]>();
  #sandboxId = '';
  #podIp = '';
  #statuses: readonly ContainerStatus[] = [];
  lastSyncMs = Date.now();

  constructor(pod: Pod, driver: ContainerRuntime, { folder, cgroupParent }: Containerd) {
    this.#pod = pod;
    this.#driver = driver;
    this.#folder = folder;
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    this.#sandboxConfig = {
      metadata: { name, namespace, uid, attempt: 0 },
      hostname: name,
      logDirectory: join(folder, 'logs', uid),
      cgroupParent: podCgroupParent(
        pod,
        { driver: 'cgroupfs', root: cgroupParent, isPerQos: true },
        orchDialect,
      ),
      labels: sandboxLabels(pod, orchDialect),
    };
  }

  /** Runs the init containers to their ends, then starts the others. */
  async start(): Promise<void> {
    const { runtime } = this.#driver;
    await mkdir(this.#sandboxConfig.logDirectory ?? '', { recursive: true });
    this.#sandboxId = await runtime.runPodSandbox({ config: this.#sandboxConfig });
    this.#podIp = (await runtime.podSandboxStatus(this.#sandboxId))?.ips[0] ?? '';
    for (const container of this.#pod.spec.initContainers ?? []) {
      await this.startContainer(container);
      await this.ended(container.name);
    }
    for (const container of this.#pod.spec.containers ?? []) await this.startContainer(container);
  }

  /** Starts the next attempt of a container. */
  async startContainer({ name, command, tty, stdin, volumeMounts }: ContainerSpec): Promise<void> {
    const { runtime } = this.#driver;
    const attempts = this.#attempts.get(name) ?? [];
    const attempt = attempts.length;
    const mounts = await Promise.all(
      (volumeMounts ?? []).map(async (mount) => {
        const hostPath = join(this.#folder, 'volumes', mount.name);
        await mkdir(hostPath, { recursive: true });
        return {
          containerPath: mount.mountPath,
          hostPath,
          isReadOnly: false,
          relabelsSelinux: false,
          propagation: 'private' as const,
        };
      }),
    );
    await mkdir(join(this.#sandboxConfig.logDirectory ?? '', name), { recursive: true });
    const id = await runtime.createContainer({
      podSandboxId: this.#sandboxId,
      sandboxConfig: this.#sandboxConfig,
      config: {
        metadata: { name, attempt },
        image: 'localhost/busybox:1',
        command: command ?? [],
        labels: containerLabels(this.#pod, name, orchDialect),
        logPath: containerLogPath(name, attempt),
        mounts,
        tty,
        stdin,
      },
    });
    this.#attempts.set(name, [...attempts, id]);
    await runtime.startContainer(id);
    await this.look();
  }

  /** Resolves when the newest attempt of a container has ended. */
  async ended(name: string): Promise<void> {
    await eventually(async () => {
      await this.look();
      return (await this.findContainer(this.#pod, name))?.state === 'exited' ? true : undefined;
    });
  }

  /** Takes the state of the containers from the runtime. */
  async look(): Promise<void> {
    const ids = [...this.#attempts.values()].flat();
    const found = await Promise.all(ids.map((id) => this.#driver.runtime.containerStatus(id)));
    this.#statuses = found.filter((each) => each !== undefined);
  }

  /** Ends and removes all. */
  async remove(): Promise<void> {
    if (this.#sandboxId === '') return;
    await this.#driver.runtime.stopPodSandbox(this.#sandboxId);
    await this.#driver.runtime.removePodSandbox(this.#sandboxId);
  }

  pods(): readonly Pod[] {
    return [this.#withStatus()];
  }

  findPod(namespace: string, name: string): Pod | undefined {
    const { metadata } = this.#pod;
    return metadata.namespace === namespace && metadata.name === name ? this.#withStatus() : undefined;
  }

  async findContainer(
    _pod: Pod,
    name: string,
    { previous = false } = {},
  ): Promise<ContainerStatus | undefined> {
    const id = this.#attempts.get(name)?.at(previous ? -2 : -1);
    return id === undefined ? undefined : this.#driver.runtime.containerStatus(id);
  }

  async findSandboxId(): Promise<string> {
    return this.#sandboxId;
  }

  async runningPods(): Promise<readonly Pod[]> {
    const containers = await this.#driver.runtime.listContainers({ state: 'running' });
    const { name, namespace, uid } = this.#pod.metadata;
    return [
      {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name, namespace, uid },
        spec: {
          containers: containers
            .map(({ metadata, imageRef }) => ({ name: metadata.name, image: imageRef, resources: {} }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
        },
        status: {},
      },
    ];
  }

  lastSyncAtMs(): number {
    return this.lastSyncMs;
  }

  #withStatus(): Pod {
    const { spec } = this.#pod;
    const started = new Date(this.#statuses[0]?.createdAtMs ?? 0).toISOString();
    return {
      ...this.#pod,
      status: {
        phase: 'Running',
        conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
          type,
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: started,
        })),
        podIP: this.#podIp,
        podIPs: [{ ip: this.#podIp }],
        startTime: started,
        initContainerStatuses: (spec.initContainers ?? []).map((each) => this.#statusOf(each)),
        containerStatuses: (spec.containers ?? []).map((each) => ({
          ...this.#statusOf(each),
          started: true,
        })),
        qosClass: 'BestEffort',
      },
    };
  }

  #statusOf({ name, image = '' }: ContainerSpec): ContainerStatusObject {
    const ids = this.#attempts.get(name) ?? [];
    const [now, before] = [ids.at(-1), ids.at(-2)].map((id) => this.#statuses.find((each) => each.id === id));
    return {
      name,
      state: now === undefined ? { waiting: { reason: 'ContainerCreating' } } : stateOf(now),
      lastState: before === undefined ? {} : stateOf(before),
      ready: true,
      restartCount: Math.max(0, ids.length - 1),
      image,
      imageID: now?.imageRef ?? '',
      containerID: now === undefined ? '' : `containerd://${now.id}`,
    };
  }
}

function stateOf({
  id,
  state,
  exitCode,
  reason,
  startedAtMs = 0,
  finishedAtMs = 0,
}: ContainerStatus): ContainerState {
  const startedAt = new Date(startedAtMs).toISOString();
  if (state !== 'exited') return { running: { startedAt } };
  const finishedAt = new Date(finishedAtMs).toISOString();
  return { terminated: { exitCode, reason, startedAt, finishedAt, containerID: `containerd://${id}` } };
}
