import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { posix } from 'node:path';
import type { Dialect } from '../../machinery/dialect.ts';
import { type MountPoint, parseMountTable } from './mount-table.ts';

/** How the status of a node names a volume of a driver. */
export const volumeKey = (driver: string, name: string): string => `${driver}/${name}`;

/** Folder of mounts by drivers that belong to the node, not to a single pod. */
export const flexPluginFolder = (rootDirectory: string, dialect: Dialect): string =>
  posix.join(rootDirectory, 'plugins', dialect.label('flexvolume'));

/** Volumes whose devices are mounted below the folder of drivers, as the status of a node names them. */
function deviceKeys(points: readonly MountPoint[], pluginFolder: string): string[] {
  return points.flatMap(({ path }) => {
    if (!path.startsWith(`${pluginFolder}/`)) return [];
    const [, driver, name] = /^(.+)\/mounts\/([^/]+)$/.exec(path.slice(pluginFolder.length + 1)) ?? [];
    return driver === undefined || name === undefined ? [] : [volumeKey(driver, name)];
  });
}

/**
 * Devices that an earlier process of the agent has mounted. Reads one folder only where no driver ever attached
 * anything.
 */
export function readDeviceKeys(rootDirectory: string, dialect: Dialect): string[] {
  const folder = flexPluginFolder(rootDirectory, dialect);
  if (!existsSync(folder)) return [];
  return deviceKeys(parseMountTable(readFileSync('/proc/self/mountinfo', 'utf8')), realpathSync(folder));
}
