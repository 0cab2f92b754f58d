import type { MountCommands } from './mount-commands.ts';
import { mountsBelow } from './mount-table.ts';

/**
 * Ends all mounts at and below a folder, as many as can be ended.
 *
 * @throws Error when one is left: files below the folder may then be files of somebody else.
 */
export async function endMounts(folder: string, mount: MountCommands): Promise<void> {
  let cause: unknown;
  for (const { path } of mountsBelow(await mount.list(), folder)) {
    try {
      await mount.unmount(path);
    } catch (error) {
      cause ??= error;
    }
  }
  const [left] = mountsBelow(await mount.list(), folder);
  if (left !== undefined) throw cause ?? new Error(`a mount cannot be ended: ${left.path}`);
}
