import type {
  Container,
  ContainerFilter,
  ContainerResources,
  ContainerStatus,
  CreateContainerOptions,
  RuntimeService,
  StopContainerOptions,
} from '../runtime/index.ts';
import { hasLabels } from './container-labels.ts';
import { containerName } from './container-names.ts';
import { writeResources } from './container-resources.ts';
import {
  containerPath,
  type Engine,
  inspect,
  inspectOwn,
  kill,
  listOwn,
  orUndefined,
  remove,
} from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { ContainerDetails, ContainerSummary } from './engine-types.ts';
import type { ImageNames } from './image-calls.ts';
import type { LoggedContainer, LogKeeper } from './logs/log-keeper.ts';
import { readContainer, readContainerSummary } from './read-container.ts';
import { writeContainer } from './write-container.ts';

type Calls = Pick<
  RuntimeService,
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'containerStatus'
  | 'listContainers'
  | 'updateContainerResources'
  | 'reopenContainerLog'
>;

/** What the calls share: the engine's API, the keeper of log files and the names of images. */
export interface ContainerCallsOptions {
  readonly engine: Engine;
  readonly logs: LogKeeper;
  readonly images: ImageNames;
}

/** The calls about containers, and the logs that follow them. */
export class ContainerCalls implements Calls {
  readonly #engine: Engine;
  readonly #logs: LogKeeper;
  readonly #images: ImageNames;

  constructor({ engine, logs, images }: ContainerCallsOptions) {
    this.#engine = engine;
    this.#logs = logs;
    this.#images = images;
  }

  async createContainer(create: CreateContainerOptions): Promise<string> {
    const { connection, requestTimeoutMs: timeoutMs, marks, clock, leastOomScore } = this.#engine;
    const call = 'CreateContainer';
    const { podSandboxId, config, sandboxConfig } = create;
    await inspectOwn(this.#engine, call, { type: 'podsandbox', id: podSandboxId });
    const { ownLabels } = marks;
    const body = await writeContainer({ create, ownLabels, leastOomScore, nowMs: clock.nowMs() });
    const query = { name: containerName(marks.prefix, config.metadata, sandboxConfig.metadata) };
    const request = { call, method: 'POST', path: '/containers/create', query, body, timeoutMs } as const;
    return (await connection.ask<{ Id: string }>(request)).Id;
  }

  async startContainer(id: string): Promise<void> {
    const { connection, requestTimeoutMs: timeoutMs } = this.#engine;
    const call = 'StartContainer';
    const details = await inspectOwn(this.#engine, call, { type: 'container', id });
    if (!isNew(details) || details.State.ExitCode !== 0) {
      const problem = `container "${id}" was started before: it is ${details.State.Status}`;
      throw callFailure(call, 'invalid', problem);
    }
    await connection.ask({ call, method: 'POST', path: containerPath(id, 'start'), timeoutMs });
    // The engine chooses its log file when the container starts.
    const started = await inspect(this.#engine, call, id);
    if (started !== undefined) await this.#follow(started);
  }

  async stopContainer(id: string, { timeoutMs: graceMs }: StopContainerOptions): Promise<void> {
    const { connection, requestTimeoutMs } = this.#engine;
    const call = 'StopContainer';
    if (graceMs <= 0) return await kill(this.#engine, call, id);
    const seconds = Math.ceil(graceMs / 1000);
    const path = containerPath(id, 'stop');
    const request = { call, method: 'POST', path, query: { t: seconds } } as const;
    await orUndefined(connection.ask({ ...request, timeoutMs: requestTimeoutMs + seconds * 1000 }));
  }

  async removeContainer(id: string): Promise<void> {
    const call = 'RemoveContainer';
    const details = await inspect(this.#engine, call, id);
    if (details === undefined) return;
    if (details.State.Running) await kill(this.#engine, call, id);
    await this.#finishLog(details);
    await remove(this.#engine, call, id);
    await this.#logs.forget(details.Id);
  }

  async containerStatus(id: string): Promise<ContainerStatus | undefined> {
    const details = await inspect(this.#engine, 'ContainerStatus', id);
    if (details === undefined) return undefined;
    const { marks } = this.#engine;
    const status = readContainer(details, { marks, image: await this.#images.of(details.Image) });
    if (status?.state === 'exited') await this.#finishLog(details);
    return status;
  }

  async listContainers({ id, podSandboxId: sandboxId, state, labels }: ContainerFilter = {}) {
    const summaries = await listOwn(this.#engine, 'ListContainers', { type: 'container', id, sandboxId });
    if (id === undefined && sandboxId === undefined) {
      await this.#logs.retain(new Set(summaries.map(({ Id }) => Id)));
    }
    const containers = await Promise.all(
      summaries.map((summary) => {
        const container = readContainerSummary(summary, this.#engine.marks);
        return container && this.#completeSummary(summary, container);
      }),
    );
    return containers
      .filter((each) => each !== undefined)
      .filter((each) => (state === undefined || each.state === state) && hasLabels(each.labels, labels));
  }

  async updateContainerResources(id: string, resources: ContainerResources): Promise<void> {
    const { connection, requestTimeoutMs: timeoutMs } = this.#engine;
    const call = 'UpdateContainerResources';
    const details = await inspectOwn(this.#engine, call, { type: 'container', id });
    const path = containerPath(details.Id, 'update');
    await connection.ask({ call, method: 'POST', path, body: writeResources(resources), timeoutMs });
  }

  async reopenContainerLog(id: string): Promise<void> {
    const call = 'ReopenContainerLog';
    const details = await inspectOwn(this.#engine, call, { type: 'container', id });
    if (!details.State.Running) throw callFailure(call, 'invalid', `container "${id}" is not running`);
    await this.#follow(details);
    await this.#logs.reopen(details.Id);
  }

  /**
   * In the engine's lists a container that failed to start looks like one that was created; it is inspected. For the
   * others, log copying is checked.
   */
  async #completeSummary(summary: ContainerSummary, container: Container): Promise<Container> {
    const hasLog = (summary.Labels?.[this.#engine.marks.ownLabels.logPath] ?? '') !== '';
    const needsFollower = container.state === 'running' && hasLog && !this.#logs.isFollowed(container.id);
    if (container.state !== 'created' && !needsFollower) return container;
    const details = await inspect(this.#engine, 'ListContainers', container.id);
    if (details === undefined) return container;
    if (details.State.Running) await this.#follow(details);
    const hasFailed = container.state === 'created' && details.State.ExitCode !== 0 && !details.State.Running;
    return hasFailed ? { ...container, state: 'exited' } : container;
  }

  async #follow(details: ContainerDetails): Promise<void> {
    const logged = this.#loggedContainer(details);
    if (logged !== undefined) await this.#logs.follow(logged);
  }

  async #finishLog(details: ContainerDetails): Promise<void> {
    const logged = this.#loggedContainer(details);
    const hasStarted = details.State.StartedAt !== '' && !isNew(details);
    if (logged !== undefined && hasStarted) await this.#logs.finish(logged);
  }

  /** Undefined when nothing is logged. */
  #loggedContainer({ Id, LogPath, Config }: ContainerDetails): LoggedContainer | undefined {
    const logPath = Config.Labels?.[this.#engine.marks.ownLabels.logPath] ?? '';
    return logPath === '' || LogPath === '' ? undefined : { id: Id, source: LogPath, logPath };
  }
}

/** Whether a container was never started. */
const isNew = ({ State }: ContainerDetails): boolean => State.Status === 'created';
