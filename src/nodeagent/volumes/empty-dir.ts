import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import { podCgroupBounds } from '../container-config/index.ts';
import { isMissing } from './describe-error.ts';
import type { MountCommands } from './mount-commands.ts';
import type { NodeNeed } from './node-check.ts';
import { setOwnership } from './ownership.ts';

/** What holds the contents of an emptyDir: `Memory`, `HugePages`, `HugePages-2Mi`; empty for the disk. */
export type Medium = string;

/** Where an emptyDir is made, on what medium and for whom. */
export interface EmptyDirOptions {
  readonly folder: string;
  /** Folder of a file `ready` that is written when the volume is complete. */
  readonly markFolder: string;
  readonly medium: Medium;
  readonly pod: Pod;
  /** Most bytes of a volume in memory; undefined: the kernel's own bound. */
  readonly maxBytes?: number | undefined;
  /** Group that owns it. */
  readonly groupId: number | undefined;
  readonly mount: MountCommands;
}

const hugepagesPrefix = 'HugePages-';
const resourcePrefix = 'hugepages-';

/** Makes an empty folder for a pod, unless it exists already. @throws Error */
export async function makeEmptyDir(options: EmptyDirOptions): Promise<void> {
  const { folder, markFolder, medium, groupId } = options;
  const mark = posix.join(markFolder, 'ready');
  if (medium === '' ? (await exists(mark)) && (await exists(folder)) : await isReady(mark, folder)) return;
  await rm(mark, { force: true });
  await makeOpenFolder(folder);
  if (medium === 'Memory') await mountMemory(options);
  else if (medium === 'HugePages' || medium.startsWith(hugepagesPrefix)) await mountHugepages(options);
  else if (medium !== '') throw new Error(`unknown storage medium "${medium}"`);
  if (groupId !== undefined) await setOwnership(folder, { groupId, isReadOnly: false });
  await mkdir(markFolder, { recursive: true, mode: 0o750 });
  await writeFile(mark, '');
}

/** File systems that the node must support for a volume of this medium; undefined for the disk. */
export function mediumNeeds(medium: Medium): readonly NodeNeed[] | undefined {
  if (medium === '') return undefined;
  return [{ kind: 'file-system', name: medium === 'Memory' ? 'tmpfs' : 'hugetlbfs' }];
}

/** What bounds a volume in memory: limits of its pod, its own `sizeLimit`, memory of the node. */
export interface MemoryBoundOptions {
  readonly pod: Pod;
  readonly sizeLimit: string | undefined;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** Most bytes that a volume in memory may take: the memory limit of its pod, and at most its own `sizeLimit`. */
export function memoryBound({ pod, sizeLimit, allocatable }: MemoryBoundOptions): number | undefined {
  const { memoryLimitBytes = 0 } = podCgroupBounds(pod, {
    cpuBounding: { isEnforced: false, periodUs: 100_000 },
    podPidsLimit: 0,
  });
  const bounds = [readBytes(allocatable.memory), memoryLimitBytes, readBytes(sizeLimit)];
  const given = bounds.filter((bytes) => bytes > 0);
  return given.length === 0 ? undefined : Math.min(...given);
}

const readBytes = (amount: string | undefined): number =>
  amount === undefined ? 0 : Number(quantityValue(parseQuantity(amount)));

async function isReady(mark: string, folder: string): Promise<boolean> {
  return (await exists(mark)) && (await isMounted(folder));
}

/** Whether a folder is the root of a file system of its own. */
async function isMounted(folder: string): Promise<boolean> {
  try {
    const [own, parent] = await Promise.all([stat(folder), stat(posix.dirname(folder))]);
    return own.dev !== parent.dev;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether there is such a file; links are followed. @throws Error of the file system */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Any user of the pod may write into it. */
async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(posix.dirname(folder), { recursive: true, mode: 0o750 });
  await mkdir(folder, { recursive: true, mode: 0o777 });
  await chmod(folder, 0o777);
}

async function mountMemory({ folder, maxBytes, mount }: EmptyDirOptions): Promise<void> {
  if (await isMounted(folder)) return;
  const options = maxBytes === undefined ? [] : [`size=${maxBytes}`];
  // The kernel's own mode is kept: anybody may write, and remove only what is theirs.
  await mount.mount({ source: 'tmpfs', target: folder, fsType: 'tmpfs', options });
}

async function mountHugepages({ folder, medium, pod, mount }: EmptyDirOptions): Promise<void> {
  if (await isMounted(folder)) return;
  const options = [`pagesize=${pageSize(medium, pod)}`];
  await mount.mount({ source: 'nodev', target: folder, fsType: 'hugetlbfs', options });
  await chmod(folder, 0o777);
}

/** Size of the pages that a volume is made of: the one that it names, else the only one that the pod asks for. */
function pageSize(medium: Medium, { spec }: Pod): string {
  const sizes = new Set<string>();
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const name of Object.keys(resources.requests ?? {})) {
      if (name.startsWith(resourcePrefix)) sizes.add(name.slice(resourcePrefix.length));
    }
  }
  const [first, ...others] = sizes;
  if (medium === 'HugePages') {
    if (first === undefined) {
      throw new Error(`medium ${medium} can't be used if containers do not request huge pages`);
    }
    if (others.length > 0) {
      throw new Error(`medium ${medium} can't be used if containers request multiple huge page sizes`);
    }
    return first;
  }
  const named = medium.slice(hugepagesPrefix.length);
  if (!sizes.has(named)) {
    throw new Error(`medium ${medium}: no container requests huge pages of size ${named}`);
  }
  return named;
}
