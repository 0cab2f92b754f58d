import { mkdir, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Logger } from '../../base/index.ts';
import { describeError } from './describe-error.ts';
import type { MountCommands } from './mount-commands.ts';
import { type MountPoint, mountOf, mountsBelow } from './mount-table.ts';
import { listPods } from './remove-pod.ts';

/**
 * What must be done to make a folder a shared mount (mount_namespaces(7)): nothing; `share`, where it is a mount of its
 * own; `bind` it onto itself first; `blocked`, as a bind mount would hide mounts below it.
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
 * Makes the agent's root folder a shared mount where the machine's root is none, so that mounts propagate to and from
 * containers: bound onto itself and shared, as in release 1.20. Disposal undoes it when no pod has files left;
 * otherwise it stays for the next process. Where the machine does not allow it, pods that need no propagation run
 * nevertheless.
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

/** Never rejects: a mount that is left does no harm, and the next process of the agent reuses it. */
async function unshareRoot(root: string, { mount, logger }: SharedRootOptions): Promise<void> {
  try {
    if ((await listPods(root)).length > 0 || !isBoundToItself(await mount.list(), root)) return;
    await mount.unmount(root);
  } catch (error) {
    logger.debug('root directory bind mount kept', { root, error: describeError(error) });
  }
}
