import type { Clock } from '../../base/index.ts';
import { isNotFound, RuntimeError } from '../runtime/index.ts';
import type { OwnType } from './container-labels.ts';
import type { EngineConnection } from './engine-connection.ts';
import { callFailure } from './engine-failure.ts';
import type { ContainerDetails, ContainerSummary } from './engine-types.ts';
import type { ReadMarks } from './read-sandbox.ts';

/** What all calls of the driver work with. */
export interface Engine {
  readonly connection: EngineConnection;
  readonly requestTimeoutMs: number;
  readonly marks: ReadMarks;
  readonly clock: Clock;
  readonly leastOomScore: number;
}

/** Path of one of the engine's containers. */
export const containerPath = (id: string, action = ''): string =>
  `/containers/${encodeURIComponent(id)}${action === '' ? '' : `/${action}`}`;

/** Undefined when there is no such container. */
export function inspect(engine: Engine, call: string, id: string): Promise<ContainerDetails | undefined> {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  // The path of a list, for an empty id.
  if (id === '') return Promise.resolve(undefined);
  const request = { call, method: 'GET', path: containerPath(id, 'json'), timeoutMs } as const;
  return orUndefined(connection.ask<ContainerDetails>(request));
}

/** @throws RuntimeError `not-found` when there is no container of this driver and type with that id */
export async function inspectOwn(
  engine: Engine,
  call: string,
  own: { type: OwnType; id: string },
): Promise<ContainerDetails> {
  const details = await inspect(engine, call, own.id);
  if (details?.Config.Labels?.[engine.marks.ownLabels.type] === own.type) return details;
  throw callFailure(call, 'not-found', `Error: No such container: ${own.id}`);
}

/** Those of the engine's containers that this driver made, running or not. */
export async function listOwn(
  engine: Engine,
  call: string,
  desired: {
    readonly type: OwnType;
    readonly id?: string | undefined;
    readonly sandboxId?: string | undefined;
  },
): Promise<readonly ContainerSummary[]> {
  const { connection, requestTimeoutMs: timeoutMs, marks } = engine;
  const { type, sandboxId } = marks.ownLabels;
  const label = [`${type}=${desired.type}`];
  if (desired.sandboxId !== undefined) label.push(`${sandboxId}=${desired.sandboxId}`);
  const filters = { label, ...(desired.id === undefined ? {} : { id: [desired.id] }) };
  const query = { all: 1, filters: JSON.stringify(filters) };
  const request = { call, method: 'GET', path: '/containers/json', query, timeoutMs } as const;
  const found = (await connection.ask<readonly ContainerSummary[] | undefined>(request)) ?? [];
  return desired.id === undefined ? found : found.filter(({ Id }) => Id.startsWith(desired.id ?? ''));
}

/** All of the engine's containers, running or not, whoever made them. */
export async function listIds(
  { connection, requestTimeoutMs }: Engine,
  call: string,
): Promise<ReadonlySet<string>> {
  const request = { call, method: 'GET', path: '/containers/json', query: { all: 1 } } as const;
  const found = await connection.ask<readonly ContainerSummary[] | undefined>({
    ...request,
    timeoutMs: requestTimeoutMs,
  });
  return new Set((found ?? []).map(({ Id }) => Id));
}

/** Whether another request is removing the container already. */
const isBeingRemoved = (error: unknown): boolean =>
  error instanceof RuntimeError && /removal of container .* is already in progress/.test(error.detail);

/** Kills what runs in one of the engine's containers. Does nothing when nothing does, or it is gone. */
export async function kill(engine: Engine, call: string, id: string): Promise<void> {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const request = { call, method: 'POST', path: containerPath(id, 'kill'), timeoutMs } as const;
  try {
    await connection.ask(request);
  } catch (error) {
    if (isNotFound(error) || (error instanceof RuntimeError && /is not running/.test(error.detail))) return;
    throw error;
  }
}

/** Removes one of the engine's containers, a running one too. Does nothing when it is gone. */
export async function remove(engine: Engine, call: string, id: string): Promise<void> {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const query = { force: 1, v: 1 };
  const request = { call, method: 'DELETE', path: containerPath(id), query, timeoutMs } as const;
  try {
    await orUndefined(connection.ask(request));
  } catch (error) {
    if (!isBeingRemoved(error)) throw error;
  }
}

/** The answer; undefined when what was asked about does not exist. */
export async function orUndefined<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
