import { mkdir, realpath } from 'node:fs/promises';
import type { MountCommands } from './mount-commands.ts';
import { mountOf } from './mount-table.ts';

/**
 * Makes sure that containers can see mounts that are made below the agent's root folder later, as pods with mount
 * propagation ask for: where the folder lies on a private mount, it is mounted over itself and shared. That mount stays
 * when the agent ends, and serves the next one.
 *
 * @throws Error with what the program said
 */
export async function shareRoot(rootDirectory: string, mount: MountCommands): Promise<void> {
  await mkdir(rootDirectory, { recursive: true, mode: 0o750 });
  const root = await realpath(rootDirectory);
  const own = mountOf(await mount.list(), root);
  if (own?.isShared) return;
  if (own?.path !== root) await mount.mount({ source: root, target: root, options: ['bind'] });
  await mount.share(root);
}
