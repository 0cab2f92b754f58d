import type { MountCommands } from './mount-commands.ts';
import { mountsBelow } from './mount-table.ts';

/**
 * Unmounts everything at and below a folder, as far as possible.
 *
 * @throws Error when a mount is left: what is below the folder may then be files that do not belong to the pod
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
