import { readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, errorCode } from '../../base/index.ts';
import { CgroupError } from './cgroup-error.ts';
import { CgroupTree } from './cgroup-tree.ts';
import { findHierarchies, type Hierarchy } from './hierarchies.ts';

/** Moves processes of the node that do not belong to pods into control groups. */
export interface ProcessGroups {
  /** Makes the group where it is missing, and moves the process there. @throws CgroupError */
  enter(group: string, pid: number): Promise<void>;
  /**
   * Moves processes that are in no group there, but for those of the kernel, the first process and this one; resolves
   * with how many that were. Processes that end meanwhile do no harm.
   *
   * @throws CgroupError
   */
  gatherUngrouped(group: string): Promise<number>;
}

/** Where the hierarchies are mounted, and which processes are left where they are. */
export interface ProcessGroupsOptions {
  /** Where control groups are mounted: `/sys/fs/cgroup`. */
  readonly root: string;
  readonly clock: Clock;
  /** Whether a process is one of the kernel's own; asks `/proc` when left out. */
  readonly isOfKernel?: (pid: number) => Promise<boolean>;
}

/** Groups below `root`. */
export function createProcessGroups({
  root,
  clock,
  isOfKernel = hasNoProgram,
}: ProcessGroupsOptions): ProcessGroups {
  const open = async (group: string): Promise<readonly Hierarchy[]> => {
    if (group.split('/').every((part) => part === '')) {
      throw new CgroupError(
        `control groups: ${JSON.stringify(group)} is the root, which cannot be a group for processes`,
      );
    }
    const hierarchies = await findHierarchies(root);
    await new CgroupTree(hierarchies, { clock }).create(group);
    return hierarchies.all.filter(({ controllers }) => controllers.size > 0);
  };
  return {
    async enter(group, pid) {
      await move(pid, group, await open(group));
    },
    async gatherUngrouped(group) {
      const hierarchies = await open(group);
      const moved = new Set<number>();
      for (const { path } of hierarchies) {
        for (const pid of await membersOf(path)) {
          if (pid <= 1 || pid === process.pid || (await isOfKernel(pid))) continue;
          await move(pid, group, [{ path }]);
          moved.add(pid);
        }
      }
      return moved.size;
    },
  };
}

async function membersOf(folder: string): Promise<number[]> {
  const text = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number).filter(Number.isInteger);
}

async function move(
  pid: number,
  group: string,
  hierarchies: readonly Pick<Hierarchy, 'path'>[],
): Promise<void> {
  for (const { path } of hierarchies) {
    try {
      await writeFile(join(path, group, 'cgroup.procs'), String(pid));
    } catch (cause) {
      // ESRCH: the process has ended meanwhile.
      if (errorCode(cause) === 'ESRCH') return;
      throw new CgroupError(`control groups: process ${pid} cannot be moved to ${group}`, { cause });
    }
  }
}

/** The kernel's own processes run no file. */
async function hasNoProgram(pid: number): Promise<boolean> {
  return readlink(`/proc/${pid}/exe`).then(
    () => false,
    () => true,
  );
}
