import { chmod, mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import {
  containerLogLink,
  containerLogPath,
  logRoots,
  type NeededFile,
  podLogsDirectory,
} from '../container-config/index.ts';
import { removeStaleLogs, type StaleLogsOptions } from './remove-stale-logs.ts';

const nodeHostsPath = '/etc/hosts';

/** Files of pods on the node beside their volumes: logs, and what containers are given. */
export interface PodFiles {
  /** Makes the folder that the runtime writes logs of the pod to. @throws Error */
  makeLogFolder(pod: Pod): Promise<void>;
  /** Makes the link to a container's log that collectors look for. Never rejects. */
  linkLog(owner: LogOwner, logger: Logger): Promise<void>;
  /** Removes the log of a container that is gone, its rotated files and its link. Never rejects. */
  removeLog(owner: LogOwner, logPath: string, logger: Logger): Promise<void>;
  /** Removes all logs of a pod that is gone. Never rejects. */
  removePodLogs(pod: Pick<Pod, 'metadata'>, logger: Logger): Promise<void>;
  /** Removes the logs of a pod of which only the uid is known. @throws Error */
  removeLogsByUid(podUid: string): Promise<void>;
  /** Removes logs that no other trace of a pod leads to, and links to logs that are gone. Never rejects. */
  removeStaleLogs(options: Pick<StaleLogsOptions, 'isKnown' | 'logger'>): Promise<void>;
  /** Writes a file that a container needs. @throws Error */
  write(file: NeededFile): Promise<void>;
  /** The node's `/etc/hosts`; empty when it cannot be read. */
  readNodeHosts(): Promise<string>;
}

/** Files of this machine. */
export const machineFiles: PodFiles = {
  async makeLogFolder(pod) {
    await mkdir(podLogsDirectory(pod), { recursive: true, mode: 0o755 });
  },
  linkLog,
  removeLog,
  removePodLogs,
  removeLogsByUid,
  // Times of files are the machine's, whatever clock the agent goes by.
  removeStaleLogs: (options) => removeStaleLogs({ ...options, roots: logRoots, nowMs: Date.now() }),
  async write({ path, content, mode }) {
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    // Running containers have it mounted: it stays the same file, and what is right is not emptied even for a moment.
    if (!(await holds(path, content))) await writeFile(path, content, { mode });
    await chmod(path, mode); // The process's mask has had its say in writeFile.
  },
  readNodeHosts: () => readFile(nodeHostsPath, 'utf8').catch(() => ''),
};

/** Whether there is a file with this content. Containers may have written any amount to it: another size says enough. */
async function holds(path: string, content: string): Promise<boolean> {
  const found = await stat(path).catch(ignoreAbsent);
  return found?.size === Buffer.byteLength(content) && (await readFile(path, 'utf8')) === content;
}

/** Whose log a file is. */
interface LogOwner {
  readonly pod: Pick<Pod, 'metadata'>;
  readonly containerName: string;
  readonly attempt: number;
  readonly containerId: string;
}

/** Makes the link to a container's log that collectors look for. A failure is logged: the container runs without it. */
async function linkLog(owner: LogOwner, logger: Logger): Promise<void> {
  const link = linkOf(owner);
  try {
    await mkdir(dirname(link), { recursive: true, mode: 0o755 });
    await symlink(
      join(podLogsDirectory(owner.pod), containerLogPath(owner.containerName, owner.attempt)),
      link,
    );
  } catch (error) {
    if (!isCode(error, 'EEXIST')) logger.error('container log link creation failed', { link, error });
  }
}

/** Removes the log of a container that is gone, its rotated files and its link. */
async function removeLog(owner: LogOwner, logPath: string, logger: Logger): Promise<void> {
  try {
    await unlink(linkOf(owner)).catch(ignoreAbsent);
    if (logPath !== '') await removeFiles(logPath);
  } catch (error) {
    logger.error('container log removal failed', { logPath, error });
  }
}

/** A log, and what was put aside of it. */
async function removeFiles(logPath: string): Promise<void> {
  const folder = dirname(logPath);
  const name = basename(logPath);
  const names = await readdir(folder).catch(() => []); // a folder that is gone holds no logs
  const own = names.filter((each) => each === name || each.startsWith(`${name}.`));
  await Promise.all(own.map((each) => rm(join(folder, each), { force: true })));
}

/** Removes all logs of a pod that is gone. */
async function removePodLogs(pod: Pick<Pod, 'metadata'>, logger: Logger): Promise<void> {
  try {
    await rm(podLogsDirectory(pod), { recursive: true, force: true });
  } catch (error) {
    logger.error('pod log removal failed', {
      pod: `${pod.metadata.namespace}/${pod.metadata.name}`,
      uid: pod.metadata.uid,
      error,
    });
  }
}

/**
 * Removes the logs of a pod of which only the uid is known.
 *
 * @throws Error
 */
async function removeLogsByUid(podUid: string): Promise<void> {
  const root = dirname(podLogsDirectory({ metadata: { uid: podUid } }));
  const names = await readdir(root).catch(ignoreAbsent);
  for (const name of names ?? []) {
    if (name.endsWith(`_${podUid}`)) await rm(join(root, name), { recursive: true, force: true });
  }
}

const linkOf = ({ pod, containerName, containerId }: LogOwner): string =>
  containerLogLink(pod, containerName, containerId);

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

function ignoreAbsent(error: unknown): undefined {
  if (!isCode(error, 'ENOENT')) throw error;
}
