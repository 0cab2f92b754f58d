import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CgroupError } from './cgroup-error.ts';

/** One mounted tree of control groups. */
export interface Hierarchy {
  readonly path: string;
  /** Empty for a named hierarchy without controllers, such as that of systemd. */
  readonly controllers: ReadonlySet<string>;
}

/** The hierarchies of control groups that are mounted on this machine; version 2 has exactly one. */
export interface Hierarchies {
  /** Version 1 also for the hybrid set-up, whose second version has no controllers that matter. */
  readonly version: 1 | 2;
  readonly all: readonly Hierarchy[];
}

/** Trees that carry no controllers. */
const bare: ReadonlySet<string> = new Set(['systemd', 'unified']);

/** The trees below a mount of control groups, such as `/sys/fs/cgroup`. @throws CgroupError when there are none */
export async function findHierarchies(root: string): Promise<Hierarchies> {
  const unified = await readFile(join(root, 'cgroup.controllers'), 'utf8').catch(() => undefined);
  if (unified !== undefined) {
    return { version: 2, all: [{ path: root, controllers: new Set(unified.split(/\s+/).filter(Boolean)) }] };
  }
  const entries = await readdir(root, { withFileTypes: true }).catch((cause: unknown) => {
    throw new CgroupError(`control groups: ${root} cannot be read`, { cause });
  });
  // Links such as `cpu` lead to `cpu,cpuacct`.
  const all = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      path: join(root, name),
      controllers: new Set(bare.has(name) ? [] : name.split(',')),
    }));
  if (all.length === 0) throw new CgroupError(`control groups: none are mounted at ${root}`);
  return { version: 1, all };
}

/** Whether a group, by its path from the root, exists in every tree that bounds processors, memory or processes. */
export async function hasCgroup(root: string, name: string): Promise<boolean> {
  if (leadsOut(name)) return false;
  const { version, all } = await findHierarchies(root);
  const bounding = ['cpu', 'memory', 'pids'];
  const desired =
    version === 2 ? all : all.filter(({ controllers }) => bounding.some((each) => controllers.has(each)));
  const found = await Promise.all(
    desired.map(({ path }) =>
      readdir(join(path, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

/** Whether a group's path would leave the tree that it is in. */
export const leadsOut = (group: string): boolean => group.split('/').includes('..');
