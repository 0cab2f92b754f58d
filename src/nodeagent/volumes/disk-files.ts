import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type { Dialect } from '../../machinery/dialect.ts';
import { isMissing } from './describe-error.ts';

/** Kinds of volumes that are disks of storage networks. */
const diskKinds = ['iscsi', 'fc', 'rbd'] as const;

/** Folder of what the node has of disks of a kind. */
export const diskFolder = (
  rootDirectory: string,
  dialect: Dialect,
  kind: (typeof diskKinds)[number],
): string => posix.join(rootDirectory, 'plugins', dialect.label(kind));

/** Name of the file that keeps a disk on the node. */
export const diskFileName = 'disk.json';

/** The files that keep disks on the node. @throws Error of the file system */
export function diskFiles(rootDirectory: string, dialect: Dialect): string[] {
  return diskKinds.flatMap((kind) => {
    const folder = posix.join(diskFolder(rootDirectory, dialect, kind), 'volumeDevices');
    try {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return names
        .filter((name) => posix.basename(name) === diskFileName)
        .map((name) => posix.join(folder, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  });
}
