import type { PodAction } from '../../../../src/nodeagent/sync/actions.ts';
import type {
  DesiredPod,
  ObservedContainer,
  ObservedPod,
  ObservedSandbox,
} from '../../../../src/nodeagent/sync/pod-state.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * A runtime with one pod, which does what actions say and refuses what a real one would. It also holds what must be
 * true at every moment: an action that breaks it is an Error.
 */
export class SimulatedRuntime {
  nowMs = 1_000_000;
  readonly #sandboxes: Mutable<ObservedSandbox>[] = [];
  readonly #containers: Mutable<ObservedContainer>[] = [];
  #created: string | undefined;
  #ids = 0;

  observe(): ObservedPod {
    return {
      sandboxes: this.#sandboxes.map((each) => ({ ...each })),
      containers: this.#containers.map((each) => ({ ...each })),
    };
  }

  /** Instances that run. */
  running(): readonly ObservedContainer[] {
    return this.#containers.filter(({ state }) => state === 'running');
  }

  readySandboxes(): readonly ObservedSandbox[] {
    return this.#sandboxes.filter(({ state }) => state === 'ready');
  }

  /** Does one action for a pod. @throws Error when it cannot be done, or must not. */
  perform(action: PodAction, pod: DesiredPod): void {
    switch (action.kind) {
      case 'stop-pod':
        for (const { containerId } of action.stops) this.end(this.#container(containerId), 137);
        for (const id of action.podSandboxIds) this.loseSandbox(this.#sandbox(id));
        return;
      case 'stop-containers':
        for (const { containerId } of action.stops) this.end(this.#container(containerId), 137);
        return;
      case 'create-sandbox':
        this.#createSandbox(action.attempt, pod);
        return;
      case 'start-container':
        this.#start(action, pod);
        return;
      case 'remove-container':
        this.#containers.splice(this.#containers.indexOf(this.#container(action.containerId)), 1);
        return;
      case 'remove-sandbox':
        this.#removeSandbox(action.podSandboxId);
        return;
    }
  }

  /** A container ends by itself, or is ended. */
  end(container: Mutable<ObservedContainer>, exitCode: number): void {
    if (container.state === 'exited') return;
    Object.assign(container, { state: 'exited', exitCode, finishedAtMs: this.nowMs, health: 'fine' });
  }

  /** A sandbox goes, and what runs in it. */
  loseSandbox(sandbox: Mutable<ObservedSandbox>): void {
    sandbox.state = 'not-ready';
    for (const each of this.#containers) if (each.podSandboxId === sandbox.id) this.end(each, 137);
  }

  /** What lives, for disturbances to choose from. */
  get containers(): readonly Mutable<ObservedContainer>[] {
    return this.#containers;
  }

  get sandboxes(): readonly Mutable<ObservedSandbox>[] {
    return this.#sandboxes;
  }

  #createSandbox(attempt: number, pod: DesiredPod): void {
    if (this.#sandboxes.some((each) => each.attempt === attempt)) throw new Error('sandbox name is taken');
    if (this.readySandboxes().length > 0) throw new Error('two sandboxes are ready');
    const id = `sandbox-${++this.#ids}`;
    const { usesHostNetwork } = pod;
    this.#sandboxes.push({
      id,
      attempt,
      state: 'ready',
      createdAtMs: this.nowMs,
      usesHostNetwork,
      hasAddress: !usesHostNetwork,
    });
    this.#created = id;
  }

  #start(action: Extract<PodAction, { kind: 'start-container' }>, pod: DesiredPod): void {
    const sandbox = this.#sandbox(action.podSandboxId ?? this.#created ?? 'none');
    if (sandbox.state !== 'ready') throw new Error('a container starts in a sandbox that is not ready');
    const { name, attempt, isInit } = action;
    const desired = (isInit ? pod.initContainers : pod.containers).find((each) => each.name === name);
    if (desired === undefined) throw new Error(`no container ${name}`);
    if (this.#containers.some((each) => each.name === name && each.attempt === attempt))
      throw new Error(`container name ${name} ${attempt} is taken`);
    if (this.#containers.some((each) => each.name === name && ['running', 'unknown'].includes(each.state)))
      throw new Error(`two instances of ${name} run`);
    this.#checkOrder(name, isInit, sandbox.id, pod);
    this.#containers.push({
      id: `container-${++this.#ids}`,
      podSandboxId: sandbox.id,
      name,
      attempt,
      state: 'running',
      specHash: desired.specHash,
      createdAtMs: this.nowMs,
      finishedAtMs: undefined,
      exitCode: 0,
      health: 'fine',
    });
  }

  /** Every init container before the one that starts has succeeded in the sandbox; all of them, for a container. */
  #checkOrder(name: string, isInit: boolean, sandboxId: string, { initContainers }: DesiredPod): void {
    const index = isInit ? initContainers.findIndex((each) => each.name === name) : initContainers.length;
    for (const earlier of initContainers.slice(0, index)) {
      const hasSucceeded = this.#containers.some(
        (each) =>
          each.podSandboxId === sandboxId &&
          each.name === earlier.name &&
          each.state === 'exited' &&
          each.exitCode === 0,
      );
      if (!hasSucceeded) throw new Error(`${name} starts before ${earlier.name} has succeeded`);
    }
  }

  #removeSandbox(id: string): void {
    const sandbox = this.#sandbox(id);
    if (sandbox.state === 'ready') throw new Error('a ready sandbox is removed');
    this.#sandboxes.splice(this.#sandboxes.indexOf(sandbox), 1);
    const rest = this.#containers.filter(({ podSandboxId }) => podSandboxId !== id);
    this.#containers.splice(0, this.#containers.length, ...rest);
  }

  #container(id: string): Mutable<ObservedContainer> {
    const found = this.#containers.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no container ${id}`);
    return found;
  }

  #sandbox(id: string): Mutable<ObservedSandbox> {
    const found = this.#sandboxes.find((each) => each.id === id);
    if (found === undefined) throw new Error(`no sandbox ${id}`);
    return found;
  }
}
