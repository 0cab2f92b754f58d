import { access, constants, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { MountStepError } from './mount-step-error.ts';

/** Something that a node must have so that a kind of volume can be mounted. */
export type NodeNeed =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'file-system'; readonly name: string };

/** Checks whether the node can mount a volume. @throws MountStepError that says what is missing */
export type NodeCheck = (needs: readonly NodeNeed[]) => Promise<void>;

/** Where programs and file systems are looked up that mounts need. */
export interface NodeCheckOptions {
  /** Program that mounts. */
  readonly mountProgram: string;
  /** Folders of programs, separated by colons. */
  readonly searchPath: string;
  /** List of the file systems that the kernel has; default that of this machine. */
  readonly fileSystemsFile?: string;
}

const advice =
  'Verify that your node machine has the required components before attempting to mount this volume type.';

/** A check that remembers what it has found; what was missing is checked again each time. */
export function createNodeCheck(options: NodeCheckOptions): NodeCheck {
  const { mountProgram, searchPath, fileSystemsFile = '/proc/filesystems' } = options;
  const found = new Set<string>();
  const isThere = ({ kind, name }: NodeNeed): Promise<boolean> =>
    kind === 'program' ? hasProgram(name, searchPath) : hasFileSystem(name, fileSystemsFile);
  return async (needs) => {
    if (needs.length === 0) return;
    for (const need of [{ kind: 'program', name: mountProgram } as const, ...needs]) {
      const key = `${need.kind} ${need.name}`;
      if (found.has(key)) continue;
      if (!(await isThere(need)))
        throw new MountStepError('MountVolume.CanMount', `${advice} ${describe(need)}`);
      found.add(key);
    }
  };
}

const describe = ({ kind, name }: NodeNeed): string =>
  kind === 'program' ? `required binary ${name} is missing` : `required file system ${name} is missing`;

async function hasProgram(name: string, searchPath: string): Promise<boolean> {
  const paths = name.includes('/')
    ? [name]
    : searchPath.split(':').map((folder) => posix.join(folder || '.', name));
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** proc(5): a name in the last column of each line. */
async function hasFileSystem(name: string, file: string): Promise<boolean> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.some((line) => line.split('\t').at(-1)?.trim() === name);
}
