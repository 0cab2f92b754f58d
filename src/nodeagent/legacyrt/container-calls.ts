import type { Container, ContainerStatus, RuntimeService } from '../runtime/index.ts';
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
import type { LoggedContainer, LogKeeper } from './logs/index.ts';
import { readContainer, readContainerSummary } from './read-container.ts';
import { writeContainer } from './write-container.ts';

export type ContainerCalls = Pick<
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

export interface ContainerCallsOptions {
  readonly engine: Engine;
  readonly logs: LogKeeper;
  readonly images: ImageNames;
}

/** The calls about containers. */
export function createContainerCalls({ engine, logs, images }: ContainerCallsOptions): ContainerCalls {
  const { connection, requestTimeoutMs: timeoutMs, marks, clock, leastOomScore } = engine;

  /** Undefined when nothing is logged. */
  function loggedContainer({ Id, LogPath, Config }: ContainerDetails): LoggedContainer | undefined {
    const logPath = Config.Labels?.[marks.ownLabels.logPath] ?? '';
    return logPath === '' || LogPath === '' ? undefined : { id: Id, source: LogPath, logPath };
  }

  async function follow(details: ContainerDetails): Promise<void> {
    const logged = loggedContainer(details);
    if (logged !== undefined) await logs.follow(logged);
  }

  async function finishLog(details: ContainerDetails): Promise<void> {
    const logged = loggedContainer(details);
    if (logged !== undefined && details.State.StartedAt !== '' && !isNew(details)) await logs.finish(logged);
  }

  async function readStatus(call: string, id: string): Promise<ContainerStatus | undefined> {
    const details = await inspect(engine, call, id);
    if (details === undefined) return undefined;
    const status = readContainer(details, { marks, image: await images.of(details.Image) });
    if (status?.state === 'exited') await finishLog(details);
    return status;
  }

  /** A container that failed to start looks like a new one in the engine's lists; logs of others are seen to. */
  async function completeSummary(summary: ContainerSummary, container: Container): Promise<Container> {
    const hasLog = (summary.Labels?.[marks.ownLabels.logPath] ?? '') !== '';
    const needsFollower = container.state === 'running' && hasLog && !logs.isFollowed(container.id);
    if (container.state !== 'created' && !needsFollower) return container;
    const details = await inspect(engine, 'ListContainers', container.id);
    if (details === undefined) return container;
    if (details.State.Running) await follow(details);
    const hasFailed = container.state === 'created' && details.State.ExitCode !== 0 && !details.State.Running;
    return hasFailed ? { ...container, state: 'exited' } : container;
  }

  return {
    async createContainer(create) {
      const call = 'CreateContainer';
      const { podSandboxId, config, sandboxConfig } = create;
      await inspectOwn(engine, call, { type: 'podsandbox', id: podSandboxId });
      const body = await writeContainer({
        create,
        ownLabels: marks.ownLabels,
        leastOomScore,
        nowMs: clock.nowMs(),
      });
      const query = { name: containerName(marks.prefix, config.metadata, sandboxConfig.metadata) };
      const request = { call, method: 'POST', path: '/containers/create', query, body, timeoutMs } as const;
      return (await connection.ask<{ Id: string }>(request)).Id;
    },
    async startContainer(id) {
      const call = 'StartContainer';
      const details = await inspectOwn(engine, call, { type: 'container', id });
      if (!isNew(details) || details.State.ExitCode !== 0) {
        throw callFailure(
          call,
          'invalid',
          `container "${id}" was started before: it is ${details.State.Status}`,
        );
      }
      await connection.ask({ call, method: 'POST', path: containerPath(id, 'start'), timeoutMs });
      // The engine decides on its log's file only now.
      const started = await inspect(engine, call, id);
      if (started !== undefined) await follow(started);
    },
    async stopContainer(id, { timeoutMs: graceMs }) {
      const call = 'StopContainer';
      if (graceMs <= 0) return await kill(engine, call, id);
      const seconds = Math.ceil(graceMs / 1000);
      const request = {
        call,
        method: 'POST',
        path: containerPath(id, 'stop'),
        query: { t: seconds },
      } as const;
      await orUndefined(connection.ask({ ...request, timeoutMs: timeoutMs + seconds * 1000 }));
    },
    async removeContainer(id) {
      const call = 'RemoveContainer';
      const details = await inspect(engine, call, id);
      if (details === undefined) return;
      if (details.State.Running) await kill(engine, call, id);
      await finishLog(details);
      await remove(engine, call, id);
      await logs.forget(details.Id);
    },
    containerStatus: (id) => readStatus('ContainerStatus', id),
    async listContainers({ id, podSandboxId: sandboxId, state, labels } = {}) {
      const summaries = await listOwn(engine, 'ListContainers', { type: 'container', id, sandboxId });
      if (id === undefined && sandboxId === undefined)
        await logs.retain(new Set(summaries.map(({ Id }) => Id)));
      const containers = await Promise.all(
        summaries.map((summary) => {
          const container = readContainerSummary(summary, marks);
          return container && completeSummary(summary, container);
        }),
      );
      return containers
        .filter((each) => each !== undefined)
        .filter((each) => (state === undefined || each.state === state) && hasLabels(each.labels, labels));
    },
    async updateContainerResources(id, resources) {
      const call = 'UpdateContainerResources';
      const details = await inspectOwn(engine, call, { type: 'container', id });
      const path = containerPath(details.Id, 'update');
      await connection.ask({ call, method: 'POST', path, body: writeResources(resources), timeoutMs });
    },
    async reopenContainerLog(id) {
      const call = 'ReopenContainerLog';
      const details = await inspectOwn(engine, call, { type: 'container', id });
      if (!details.State.Running) throw callFailure(call, 'invalid', `container "${id}" is not running`);
      await follow(details);
      await logs.reopen(details.Id);
    },
  };
}

/** Whether a container was never started. */
const isNew = ({ State }: ContainerDetails): boolean => State.Status === 'created';
