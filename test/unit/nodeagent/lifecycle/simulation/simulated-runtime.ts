import {
  type ContainerConfig,
  type ContainerStatus,
  type PodSandboxConfig,
  type PodSandboxStatus,
  RuntimeError,
  type RuntimeService,
} from '../../../../../src/nodeagent/runtime/index.ts';
import type { SimulatedTime } from '../../../../support/simulated-time.ts';
import { type Behaviour, readBehaviour } from './behaviour.ts';
import type { Faults } from './faults.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface SandboxRecord {
  readonly status: Mutable<PodSandboxStatus>;
  readonly uid: string;
  /** Init containers that have ended well in it. */
  readonly initDone: Set<string>;
}

export interface ContainerRecord {
  readonly status: Mutable<ContainerStatus>;
  readonly sandbox: SandboxRecord;
  readonly uid: string;
  readonly name: string;
  readonly behaviour: Behaviour;
  /** When somebody began to end it politely, hooks included. */
  stopBegunMs: number | undefined;
  /** Made or started long after its call had failed, or for an agent that had gone. */
  isLate: boolean;
  readonly ended: PromiseWithResolvers<void>;
}

/** Who is told of what happens, to find what must not. */
export interface RuntimeObserver {
  /** The agent asks for something; before anything is done. */
  onCall?(call: string, podUid: string | undefined): void;
  onSandbox?: ((sandbox: SandboxRecord) => void) | undefined;
  /** A process begins. */
  onStart?(container: ContainerRecord): void;
  /** A process is killed that did not end by itself. */
  onKill?(container: ContainerRecord, how: string): void;
}

export interface SimulatedRuntimeOptions {
  readonly time: SimulatedTime;
  readonly faults: Faults;
  readonly observer: RuntimeObserver;
}

/** Whether the one who calls is still there. */
export interface Caller {
  readonly isAlive: boolean;
}

/** A runtime in memory: keeps the rules of a real one, and lets calls fail as the faults say. */
export class SimulatedRuntime {
  readonly sandboxes = new Map<string, SandboxRecord>();
  readonly containers = new Map<string, ContainerRecord>();
  readonly #options: SimulatedRuntimeOptions;
  readonly #names = new Set<string>();
  #ids = 0;

  constructor(options: SimulatedRuntimeOptions) {
    this.#options = options;
  }

  /** What one agent speaks to. Nothing comes back to one that was killed. */
  serviceFor(caller: Caller): RuntimeService {
    const call = <T>(name: string, uid: string | undefined, effect: () => T | Promise<T>): Promise<T> =>
      this.#call({ name, uid, caller }, effect);
    const uidOf = (id: string): string | undefined =>
      (this.containers.get(id)?.sandbox ?? this.sandboxes.get(id))?.uid;
    const service: Partial<RuntimeService> = {
      version: () =>
        call('version', undefined, () => ({ name: 'simulated', version: '1', apiVersion: 'v1' })),
      runPodSandbox: ({ config }) =>
        call('runPodSandbox', config.metadata.uid, () => this.#runSandbox(config)),
      stopPodSandbox: (id) => call('stopPodSandbox', uidOf(id), () => this.#stopSandbox(id)),
      removePodSandbox: (id) => call('removePodSandbox', uidOf(id), () => this.#removeSandbox(id)),
      podSandboxStatus: (id) =>
        call('podSandboxStatus', uidOf(id), () => copy(this.sandboxes.get(id)?.status)),
      listPodSandboxes: ({ labels = {} } = {}) =>
        call(`listPodSandboxes`, labelUid(labels), () =>
          [...this.sandboxes.values()]
            .map(({ status }) => ({ ...status }))
            .filter((each) => agrees(each.labels, labels)),
        ),
      createContainer: ({ podSandboxId, config }) =>
        call('createContainer', uidOf(podSandboxId), () => this.#create(podSandboxId, config)),
      startContainer: (id) => call('startContainer', uidOf(id), () => this.#start(id)),
      stopContainer: (id, { timeoutMs }) => call('stopContainer', uidOf(id), () => this.#stop(id, timeoutMs)),
      removeContainer: (id) => call('removeContainer', uidOf(id), () => this.#remove(id)),
      containerStatus: (id) =>
        call('containerStatus', uidOf(id), () => copy(this.containers.get(id)?.status)),
      listContainers: ({ labels = {} } = {}) =>
        call('listContainers', labelUid(labels), () =>
          [...this.containers.values()]
            .map(({ status, sandbox }) => ({ ...status, podSandboxId: sandbox.status.id }))
            .filter((each) => agrees(each.labels, labels)),
        ),
    };
    return service as RuntimeService; // Lifecycles use no other calls.
  }

  /** The machine was switched off and on. */
  reboot(): void {
    for (const container of this.containers.values()) this.#end(container, 255);
    for (const { status } of this.sandboxes.values()) status.state = 'not-ready';
  }

  /** A sandbox dies, and all in it. */
  loseSandbox(uid: string): void {
    for (const sandbox of this.sandboxes.values()) {
      if (sandbox.uid !== uid) continue;
      sandbox.status.state = 'not-ready';
      for (const container of this.#in(sandbox)) this.#end(container, 255);
    }
  }

  noteStopBegun(containerId: string): void {
    const container = this.containers.get(containerId);
    if (container?.status.state === 'running') container.stopBegunMs ??= this.#options.time.nowMs;
  }

  async #call<T>(
    { name, uid, caller }: { name: string; uid: string | undefined; caller: Caller },
    effect: () => T | Promise<T>,
  ): Promise<T> {
    const { time, faults, observer } = this.#options;
    if (!caller.isAlive) return new Promise<T>(() => {});
    observer.onCall?.(name, uid);
    const { latencyMs, answerMs, failure } = faults.draw();
    await time.sleep(latencyMs);
    const result = this.#carryOut({ name, failure, caller }, effect);
    const value = await result.catch(async (error: unknown) => {
      if (!caller.isAlive) return new Promise<T>(() => {});
      throw error;
    });
    await time.sleep(answerMs);
    return caller.isAlive ? value : new Promise<T>(() => {});
  }

  async #carryOut<T>(
    {
      name,
      failure,
      caller,
    }: { name: string; failure: ReturnType<Faults['draw']>['failure']; caller: Caller },
    effect: () => T | Promise<T>,
  ): Promise<T> {
    const { time, faults } = this.#options;
    const attempt = async (): Promise<void> => void (await effect());
    const ignore = (): void => {};
    if (!caller.isAlive) {
      if (faults.below(2) === 0) this.#late(attempt).catch(ignore);
      return new Promise<T>(() => {});
    }
    if (failure === undefined) return effect();
    if (failure.effect === 'now') attempt().catch(ignore);
    if (failure.effect === 'later')
      void time
        .sleep(failure.laterMs)
        .then(() => this.#late(attempt))
        .catch(ignore);
    await time.sleep(failure.noticedMs);
    throw new RuntimeError(failure.code, `${name}: simulated ${failure.code}`);
  }

  /** What is begun now was not asked for any more. */
  async #late(effect: () => Promise<void>): Promise<void> {
    this.#isLate = true;
    const done = effect();
    this.#isLate = false;
    await done;
  }

  #isLate = false;

  #runSandbox(config: PodSandboxConfig): string {
    const { metadata, labels = {}, annotations = {} } = config;
    const name = `${metadata.uid}_${metadata.attempt}`;
    this.#reserve(name);
    const isOnHost = config.security?.namespaces?.network === 'node';
    const id = this.#nextId('s');
    const sandbox: SandboxRecord = {
      uid: metadata.uid,
      initDone: new Set(),
      status: {
        id,
        metadata,
        state: 'ready',
        createdAtMs: this.#options.time.nowMs,
        labels,
        annotations,
        runtimeHandler: '',
        ips: isOnHost ? [] : [`10.0.0.${this.#ids}`],
        namespaces: { network: isOnHost ? 'node' : 'pod', pid: 'container', ipc: 'pod' },
      },
    };
    this.sandboxes.set(id, sandbox);
    this.#options.observer.onSandbox?.(sandbox);
    return id;
  }

  #stopSandbox(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (sandbox === undefined) return;
    for (const container of this.#in(sandbox)) this.#kill(container, 'stopPodSandbox');
    sandbox.status.state = 'not-ready';
  }

  #removeSandbox(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (sandbox === undefined) return;
    for (const container of this.#in(sandbox)) this.#remove(container.status.id);
    this.sandboxes.delete(id);
    this.#names.delete(`${sandbox.uid}_${sandbox.status.metadata.attempt}`);
  }

  #create(podSandboxId: string, config: ContainerConfig): string {
    const sandbox = this.sandboxes.get(podSandboxId);
    if (sandbox === undefined) throw new RuntimeError('not-found', `no sandbox ${podSandboxId}`);
    if (sandbox.status.state !== 'ready') throw new RuntimeError('failed', 'the sandbox does not run');
    const { metadata, image, labels = {}, annotations = {} } = config;
    this.#reserve(`${podSandboxId}_${metadata.name}_${metadata.attempt}`);
    const id = this.#nextId('c');
    const { time } = this.#options;
    this.containers.set(id, {
      sandbox,
      uid: sandbox.uid,
      name: metadata.name,
      behaviour: readBehaviour(image),
      stopBegunMs: undefined,
      isLate: this.#isLate,
      ended: Promise.withResolvers(),
      status: {
        id,
        metadata,
        image,
        imageRef: image,
        state: 'created',
        createdAtMs: time.nowMs,
        labels,
        annotations,
        startedAtMs: undefined,
        finishedAtMs: undefined,
        exitCode: 0,
        reason: '',
        message: '',
        mounts: [],
        logPath: '',
      },
    });
    return id;
  }

  #start(id: string): void {
    const container = this.containers.get(id);
    if (container === undefined) throw new RuntimeError('not-found', `no container ${id}`);
    const { status, sandbox, behaviour } = container;
    if (status.state !== 'created') throw new RuntimeError('failed', 'it was started before');
    if (sandbox.status.state !== 'ready') throw new RuntimeError('failed', 'the sandbox does not run');
    const { time, observer } = this.#options;
    status.state = 'running';
    status.startedAtMs = time.nowMs;
    container.isLate ||= this.#isLate;
    observer.onStart?.(container);
    if (behaviour.exit === undefined) return;
    const { code, afterMs } = behaviour.exit;
    void time.sleep(afterMs).then(() => this.#end(container, code));
  }

  /** Resolves when it has ended. */
  async #stop(id: string, timeoutMs: number): Promise<void> {
    const container = this.containers.get(id);
    if (container === undefined) return;
    if (container.status.state !== 'running') return;
    const { time } = this.#options;
    const { termMs } = container.behaviour;
    if (timeoutMs > 0) {
      container.stopBegunMs ??= time.nowMs;
      if (termMs !== undefined) void time.sleep(termMs).then(() => this.#end(container, 143));
    }
    void time.sleep(Math.ceil(timeoutMs / 1000) * 1000).then(() => this.#kill(container, 'stopContainer'));
    await container.ended.promise;
  }

  #remove(id: string): void {
    const container = this.containers.get(id);
    if (container === undefined) return;
    this.#kill(container, 'removeContainer');
    const { name, sandbox, status } = container;
    this.containers.delete(id);
    this.#names.delete(`${sandbox.status.id}_${name}_${status.metadata.attempt}`);
  }

  #kill(container: ContainerRecord, how: string): void {
    if (container.status.state !== 'running') return;
    this.#options.observer.onKill?.(container, how);
    this.#end(container, 137);
  }

  #end({ status, sandbox, name, ended }: ContainerRecord, exitCode: number): void {
    if (status.state !== 'running') return;
    if (exitCode === 0) sandbox.initDone.add(name);
    status.state = 'exited';
    status.exitCode = exitCode;
    status.reason = exitCode === 0 ? 'Completed' : 'Error';
    status.finishedAtMs = this.#options.time.nowMs;
    ended.resolve();
  }

  #in(sandbox: SandboxRecord): readonly ContainerRecord[] {
    return [...this.containers.values()].filter((each) => each.sandbox === sandbox);
  }

  #reserve(name: string): void {
    if (this.#names.has(name)) throw new RuntimeError('already-exists', `name ${name} is reserved`);
    this.#names.add(name);
  }

  #nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }
}

const copy = <T extends object>(value: T | undefined): T | undefined => value && { ...value };

const labelUid = (labels: Readonly<Record<string, string>>): string | undefined => Object.values(labels)[0];

function agrees(
  labels: Readonly<Record<string, string>>,
  desired: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(desired).every(([key, value]) => labels[key] === value);
}
