import { posix } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';

/** Folders of the logs of all pods, and of the links to logs of containers that collectors look for. */
export const logRoots = { pods: '/var/log/pods', containers: '/var/log/containers' } as const;
/** Longest name of a file that file systems take, less what they may add. */
const maxLinkLength = 251;

/** Folder of all pods below the agent's root folder. */
export const podsDirectory = (rootDirectory: string): string => posix.join(rootDirectory, 'pods');

/** Folder that holds all that the agent keeps of a pod. @throws RangeError for a uid that is no name of a folder. */
export const podDirectory = (rootDirectory: string, podUid: string): string =>
  posix.join(podsDirectory(rootDirectory), segment(podUid));

/** The `/etc/hosts` of a pod's containers. */
export const hostsFilePath = (podDir: string): string => posix.join(podDir, 'etc-hosts');

/** Folder of one container's files: what it says at its end. */
export const podContainerDirectory = (podDir: string, containerName: string): string =>
  posix.join(podDir, 'containers', segment(containerName));

/** Where a volume is mounted; `plugin` such as `orch.io/empty-dir`. */
export const volumeDirectory = (podDir: string, plugin: string, volumeName: string): string =>
  posix.join(podDir, 'volumes', escapePlugin(plugin), segment(volumeName));

/** Where links to block devices of a plugin are. */
export const volumeDeviceDirectory = (podDir: string, plugin: string): string =>
  posix.join(podDir, 'volumeDevices', escapePlugin(plugin));

/** What a plugin keeps of a pod's volumes. */
export const podPluginDirectory = (podDir: string, plugin: string): string =>
  posix.join(podDir, 'plugins', escapePlugin(plugin));

/** Where a path below a volume is mounted for one mount of a container. */
export const subPathDirectory = (
  podDir: string,
  volumeName: string,
  containerName: string,
  index: number,
): string => posix.join(podDir, 'volume-subpaths', segment(volumeName), segment(containerName), `${index}`);

/** Folder of the log files of a pod's containers. @throws RangeError for names that are none of folders. */
export function podLogsDirectory({
  metadata: { name = '', namespace = '', uid = '' },
}: Pick<Pod, 'metadata'>): string {
  return posix.join(logRoots.pods, segment(`${namespace}_${name}_${uid}`));
}

/** Log file of the attempt of a container, below that of its pod. */
export const containerLogPath = (containerName: string, attempt: number): string =>
  posix.join(segment(containerName), `${attempt}.log`);

/** Link to a container's log file that collectors of logs look for. */
export function containerLogLink(
  { metadata: { name = '', namespace = '' } }: Pick<Pod, 'metadata'>,
  containerName: string,
  containerId: string,
): string {
  const text = `${name}_${namespace}_${containerName}-${containerId}`;
  return posix.join(logRoots.containers, segment(`${text.slice(0, maxLinkLength)}.log`));
}

const escapePlugin = (plugin: string): string => segment(plugin.replaceAll('/', '~'));

/** Names come from outside and must not lead elsewhere. */
function segment(name: string): string {
  if (name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)) return name;
  throw new RangeError(`not a name of a file: ${JSON.stringify(name)}`);
}
