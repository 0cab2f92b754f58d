import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import { isNotFound, type RuntimeService } from '../runtime/index.ts';

/** How often sizes are checked (the period of release 1.20). */
const periodMs = 10_000;

/** Bounds of a container's log (`containerLogMaxSize`, `containerLogMaxFiles`), until `signal` aborts. */
export interface RotateLogsOptions {
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'containerStatus' | 'reopenContainerLog'>;
  /** A log that has reached it begins anew. */
  readonly maxBytes: number;
  /** Files of one container, the one that is written to included; at least 2. */
  readonly maxFiles: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Keeps the logs of running containers within bounds until the signal aborts. Never rejects. */
export async function rotateLogs(options: RotateLogsOptions): Promise<void> {
  const { runtime, clock, logger, signal } = options;
  /** Paths of logs by container: they never change. */
  const paths = new Map<string, string>();
  while (await pause(clock, periodMs, signal)) {
    try {
      const containers = await runtime.listContainers({ state: 'running' });
      const ids = new Set(containers.map(({ id }) => id));
      for (const id of paths.keys()) if (!ids.has(id)) paths.delete(id);
      for (const id of ids) await checkLog(id, paths, options);
    } catch (error) {
      logger.debug('container log check failed', { error });
    }
  }
}

/** One container's trouble is not that of the others. */
async function checkLog(id: string, paths: Map<string, string>, options: RotateLogsOptions): Promise<void> {
  const { runtime, maxBytes, logger } = options;
  try {
    const path = paths.get(id) ?? (await runtime.containerStatus(id))?.logPath ?? '';
    paths.set(id, path);
    if (path !== '' && (await sizeOf(path, id, runtime)) >= maxBytes) await rotateLog(id, path, options);
  } catch (error) {
    if (isNotFound(error)) return; // it has ended meanwhile
    logger.error('container log rotation failed', { container: id, path: paths.get(id), error });
  }
}

/** A log that is gone was removed by someone, or lost in a rotation: the runtime begins it anew, as in release 1.20. */
async function sizeOf(
  path: string,
  containerId: string,
  runtime: Pick<RuntimeService, 'reopenContainerLog'>,
): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await runtime.reopenContainerLog(containerId);
    return (await stat(path)).size;
  }
}

/**
 * Puts a log aside under its name and the time, lets the runtime begin a new one, packs older ones and removes the oldest.
 *
 * @throws Error when the runtime does not begin a new one; the log is where it was then
 */
export async function rotateLog(
  containerId: string,
  path: string,
  { runtime, maxFiles, clock }: Pick<RotateLogsOptions, 'runtime' | 'maxFiles' | 'clock'>,
): Promise<void> {
  const rotated = await findRotated(path);
  // Beside the one that is written to and the one that comes now.
  const excess = Math.max(0, rotated.length - (maxFiles - 2));
  for (const file of rotated.slice(0, excess)) await rm(file, { force: true });
  for (const file of rotated.slice(excess)) if (!file.endsWith('.gz')) await pack(file);
  const aside = `${path}.${timestamp(clock.nowMs())}`;
  await rename(path, aside);
  try {
    await runtime.reopenContainerLog(containerId);
  } catch (error) {
    await rename(aside, path);
    throw error;
  }
}

/** Logs that were put aside, oldest first. What an interrupted packing left is removed: halves, and what is packed. */
async function findRotated(path: string): Promise<string[]> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  const isSpare = (name: string): boolean => name.endsWith('.tmp') || names.includes(`${name}.gz`);
  for (const name of names.filter(isSpare)) await rm(join(folder, name), { force: true });
  const kept = names.filter((name) => !isSpare(name));
  return kept.sort().map((name) => join(folder, name));
}

async function pack(file: string): Promise<void> {
  await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.tmp`));
  await rename(`${file}.tmp`, `${file}.gz`);
  await rm(file, { force: true });
}

/** Such as `20261121-185500`: sorts by time. */
function timestamp(nowMs: number): string {
  const [day = '', time = ''] = new Date(nowMs).toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`;
}
