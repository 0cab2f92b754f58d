import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, errorCode, pause } from '../../base/index.ts';
import { boundFiles, type GroupBounds, hugepageFile } from './bound-files.ts';
import { CgroupError } from './cgroup-error.ts';
import { type Hierarchies, type Hierarchy, leadsOut } from './hierarchies.ts';

/** The clock that retries wait by, and how empty groups are removed: `rmdir` when left out. */
export interface CgroupTreeOptions {
  readonly clock: Clock;
  /** Removes an empty group. */
  readonly removeFolder?: (path: string) => Promise<void>;
}

/** Attempts to remove a group while killed processes end, and the pause between two. */
const removeTries = 100;
const removePauseMs = 50;
/** Controllers that groups of pods cannot do without. */
const needed: ReadonlySet<string> = new Set(['cpu', 'memory', 'pids']);
const delegated = ['cpu', 'memory', 'pids', 'cpuset', 'hugetlb', 'io'];
const hugepageLimit = /^hugetlb\.([0-9]+[KMGTP]?B)\.(?:limit_in_bytes|max)$/;

/** Groups by their path below the mounts, in all hierarchies at once. */
export class CgroupTree {
  readonly #hierarchies: Hierarchies;
  readonly #clock: Clock;
  readonly #removeFolder: (path: string) => Promise<void>;

  constructor(hierarchies: Hierarchies, { clock, removeFolder = rmdir }: CgroupTreeOptions) {
    this.#hierarchies = hierarchies;
    this.#clock = clock;
    this.#removeFolder = removeFolder;
  }

  /** Whether the group is there in every hierarchy that can bound it. */
  async exists(group: string): Promise<boolean> {
    const found = await Promise.all(this.#bounding().map(({ path }) => foldersIn(join(path, group))));
    return found.every((folders) => folders !== undefined);
  }

  /** Makes the group, and those that it lies in, where they are missing. @throws CgroupError */
  async create(group: string): Promise<void> {
    if (leadsOut(group)) throw new CgroupError(`control groups: ${group} is no path of a group`);
    await Promise.all(this.#bounding().map((hierarchy) => this.#createIn(hierarchy, group)));
  }

  /**
   * Writes bounds; those of controllers that the machine does not have are left out. Huge pages of sizes that
   * `hugepageLimits` does not name are forbidden, or left alone when there is none.
   *
   * @throws CgroupError
   */
  async bound(group: string, bounds: GroupBounds): Promise<void> {
    const { version, all } = this.#hierarchies;
    const files = [...boundFiles(bounds, version), ...(await this.#otherHugepages(group, bounds))];
    for (const { controller, file, value } of files) {
      const hierarchy = all.find(({ controllers }) => controllers.has(controller));
      if (hierarchy !== undefined) await writeValue(join(hierarchy.path, group, file), value);
    }
  }

  /** Lets the group use huge pages of all sizes. @throws CgroupError */
  async freeHugepages(group: string): Promise<void> {
    const sizes = await this.#hugepageSizes(group);
    await this.bound(group, {
      hugepageLimits: new Map(sizes.map((size) => [size, Number.POSITIVE_INFINITY])),
    });
  }

  /** Names of the groups right below one, from all hierarchies. */
  async children(group: string): Promise<ReadonlySet<string>> {
    const names = await Promise.all(this.#foldersOf(group).map(foldersIn));
    return new Set(names.flatMap((each) => each ?? []));
  }

  /**
   * Kills every process in the group and in those below it, and removes them; resolves with whether there was anything.
   *
   * @throws CgroupError when they stay busy
   */
  async remove(group: string): Promise<boolean> {
    const never = new AbortController().signal;
    for (let tries = 0; ; tries++) {
      const folders = (await Promise.all(this.#foldersOf(group).map(foldersBelow))).flat();
      if (folders.length === 0) return tries > 0;
      if (tries === removeTries) throw new CgroupError(`control groups: ${group} is still in use`);
      await Promise.all(folders.map(killMembers));
      let isBusy = false;
      // Children come after their parents.
      for (const folder of folders.reverse()) isBusy = !(await this.#tryRemove(folder)) || isBusy;
      if (!isBusy) return true;
      await pause(this.#clock, removePauseMs, never);
    }
  }

  async #tryRemove(folder: string): Promise<boolean> {
    try {
      await this.#removeFolder(folder);
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return true;
      if (code === 'EBUSY' || code === 'ENOTEMPTY') return false;
      throw new CgroupError(`control groups: ${folder} cannot be removed`, { cause: error });
    }
  }

  #foldersOf(group: string): string[] {
    return this.#hierarchies.all.map(({ path }) => join(path, group));
  }

  /** Hierarchies whose controllers bound pods; in the others the runtime creates the groups itself. */
  #bounding(): readonly Hierarchy[] {
    return this.#hierarchies.all.filter(({ controllers }) => controllers.size > 0);
  }

  async #createIn({ path, controllers }: Hierarchy, group: string): Promise<void> {
    let folder = path;
    for (const part of group.split('/').filter((each) => each !== '')) {
      if (this.#hierarchies.version === 2) await delegateControllers(folder);
      folder = join(folder, part);
      await makeFolder(folder);
      if (controllers.has('cpuset') && this.#hierarchies.version === 1) await inheritCpuset(folder);
    }
  }

  async #otherHugepages(group: string, { hugepageLimits }: GroupBounds) {
    if (hugepageLimits === undefined) return [];
    const sizes = await this.#hugepageSizes(group);
    return sizes
      .filter((size) => !hugepageLimits.has(size))
      .map((size) => hugepageFile(size, 0, this.#hierarchies.version));
  }

  async #hugepageSizes(group: string): Promise<string[]> {
    const hierarchy = this.#hierarchies.all.find(({ controllers }) => controllers.has('hugetlb'));
    if (hierarchy === undefined) return [];
    const names = await readdir(join(hierarchy.path, group)).catch(() => []);
    return names.flatMap((name) => hugepageLimit.exec(name)?.[1] ?? []);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new CgroupError(`control groups: ${folder} cannot be made`, { cause: error });
    }
  }
}

/** A new group of controller `cpuset` accepts no process before its CPUs and memory nodes are set. */
async function inheritCpuset(folder: string): Promise<void> {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const own = await readText(join(folder, file));
    if (own.trim() === '') {
      const inherited = await readText(join(dirname(folder), file));
      if (inherited.trim() !== '') await writeValue(join(folder, file), inherited.trim());
    }
  }
}

/** Version 2 bounds a group only with controllers that its parent passes on. */
async function delegateControllers(folder: string): Promise<void> {
  const available = new Set((await readText(join(folder, 'cgroup.controllers'))).split(/\s+/));
  const passedOn = new Set((await readText(join(folder, 'cgroup.subtree_control'))).split(/\s+/));
  for (const controller of delegated) {
    if (!available.has(controller) || passedOn.has(controller)) continue;
    try {
      await writeFile(join(folder, 'cgroup.subtree_control'), `+${controller}`);
    } catch (cause) {
      if (!needed.has(controller)) continue;
      throw new CgroupError(`control groups: ${folder} does not pass on ${controller}`, { cause });
    }
  }
}

/** The folder and all below it, parents first; none when it does not exist. */
async function foldersBelow(folder: string): Promise<string[]> {
  const names = await foldersIn(folder);
  if (names === undefined) return [];
  return [folder, ...(await Promise.all(names.map((name) => foldersBelow(join(folder, name))))).flat()];
}

async function killMembers(folder: string): Promise<void> {
  const pids = (await readText(join(folder, 'cgroup.procs'))).split('\n').map(Number);
  for (const pid of pids) {
    // 0 stands for a process of another PID namespace.
    if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH')
        throw new CgroupError(`control groups: ${pid} stays`, { cause: error });
    }
  }
}

/** Undefined for a folder that does not exist. */
async function foldersIn(folder: string): Promise<string[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  return entries?.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Empty for a file that is not there. */
async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

async function writeValue(file: string, value: string): Promise<void> {
  try {
    await writeFile(file, value);
  } catch (cause) {
    throw new CgroupError(`control groups: ${file} does not take ${value}: ${errorCode(cause)}`, { cause });
  }
}
