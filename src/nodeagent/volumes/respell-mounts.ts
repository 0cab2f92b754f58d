import { mkdir, realpath } from 'node:fs/promises';
import type { MountCommands } from './mount-commands.ts';

/**
 * The same mounts, with paths below the root folder as the agent is configured: the kernel's table has real paths, and
 * the configured path may contain links.
 */
export function respellMounts(mount: MountCommands, rootDirectory: string): MountCommands {
  return {
    ...mount,
    async list() {
      await mkdir(rootDirectory, { recursive: true, mode: 0o750 });
      const real = await realpath(rootDirectory);
      const points = await mount.list();
      if (real === rootDirectory) return points;
      return points.map((point) =>
        point.path.startsWith(`${real}/`)
          ? { ...point, path: rootDirectory + point.path.slice(real.length) }
          : point,
      );
    },
  };
}
