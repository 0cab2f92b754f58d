import { mkdir, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Logger } from '../../base/index.ts';
import { describeError } from './describe-error.ts';
import type { MountCommands } from './mount-commands.ts';
import { type MountPoint, mountOf, mountsBelow } from './mount-table.ts';
import { listPods } from './remove-pod.ts';

/**
 * What makes a folder a place whose mounts are seen in other namespaces: nothing, as it is one; `share` for a mount of its
 * own; `bind` onto itself first; `blocked` when mounts below it would be hidden by that.
 */
export type SharePlan = 'none' | 'share' | 'bind' | 'blocked';

/** Decides how a folder becomes shared. `root` is its real path. */
export function planSharedRoot(points: readonly MountPoint[], root: string): SharePlan {
  const own = mountOf(points, root);
  if (own?.isShared === true) return 'none';
  if (own?.path === root) return 'share';
  return mountsBelow(points, root).length === 0 ? 'bind' : 'blocked';
}

/** Whether a folder is mounted onto itself, and nothing else is mounted below it. */
export function isBoundToItself(points: readonly MountPoint[], root: string): boolean {
  const [own, ...others] = mountsBelow(points, root);
  if (own === undefined || own.path !== root || others.length > 0) return false;
  const above = mountOf(
    points.filter((point) => point !== own),
    root,
  );
  if (above === undefined || above.device !== own.device) return false;
  return posix.join(above.root, posix.relative(above.path, root)) === own.root;
}

/** The agent's root directory, which is made a shared mount. */
export interface SharedRootOptions {
  readonly rootDirectory: string;
  readonly mount: MountCommands;
  readonly logger: Logger;
}

/**
 * Makes the agent's root folder one whose mounts containers can see and make, where the machine's root is not: bound onto
 * itself and shared, as release 1.20 does. Disposal undoes it when nothing of any pod is left; otherwise it stays for the
 * agent that comes next. A machine that does not let it be done still runs pods that do without.
 */
export async function shareRoot(options: SharedRootOptions): Promise<AsyncDisposable> {
  const { rootDirectory, mount, logger } = options;
  let root = rootDirectory;
  try {
    await mkdir(rootDirectory, { recursive: true, mode: 0o750 });
    root = await realpath(rootDirectory);
    const plan = planSharedRoot(await mount.list(), root);
    if (plan === 'bind') await mount.mount({ source: root, target: root, options: ['bind'] });
    if (plan === 'bind' || plan === 'share') await mount.share(root);
    if (plan === 'blocked') {
      logger.info('root directory not shared: something is mounted below it already', { root });
    }
  } catch (error) {
    logger.error('root directory not shared: mounts do not propagate to containers', {
      root,
      error: describeError(error),
    });
  }
  return { [Symbol.asyncDispose]: () => unshareRoot(root, options) };
}

/** Never rejects: what is left is harmless, and the next agent uses it. */
async function unshareRoot(root: string, { mount, logger }: SharedRootOptions): Promise<void> {
  try {
    if ((await listPods(root)).length > 0 || !isBoundToItself(await mount.list(), root)) return;
    await mount.unmount(root);
  } catch (error) {
    logger.debug('root directory bind mount kept', { root, error: describeError(error) });
  }
}
