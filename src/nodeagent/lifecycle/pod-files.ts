import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import { logRoots, type NeededFile, podLogsDirectory } from '../container-config/index.ts';
import { type LogOwner, linkLog, removeLog, removeLogsByUid, removePodLogs } from './log-files.ts';
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
    await writeFile(path, content, { mode });
    await chmod(path, mode); // The process's mask has had its say in writeFile.
  },
  readNodeHosts: () => readFile(nodeHostsPath, 'utf8').catch(() => ''),
};
