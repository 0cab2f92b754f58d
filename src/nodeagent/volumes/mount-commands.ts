import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type MountPoint, parseMountTable } from './mount-table.ts';

/** What to mount where. */
export interface MountRequest {
  /** A device, a folder or file for `bind`, or a name for file systems without one. */
  readonly source: string;
  readonly target: string;
  readonly fsType?: string | undefined;
  readonly options?: readonly string[] | undefined;
  /**
   * Both paths are passed to the kernel as they are, which follows links in them; the program does not resolve them
   * before.
   */
  readonly isExact?: boolean | undefined;
}

/** Mount operations that volumes need. */
export interface MountCommands {
  /** @throws Error with what the program said */
  mount(request: MountRequest): Promise<void>;
  /**
   * Makes a mount and all mounts below it shared: mounts made there later are visible in other namespaces
   * (mount_namespaces(7)). @throws Error with the output of the program
   */
  share(target: string): Promise<void>;
  /** Unmounts the newest mount at a path. @throws Error with what the program said */
  unmount(target: string): Promise<void>;
  /** All mounts, in the order in which they were made. */
  list(): Promise<readonly MountPoint[]>;
}

/** Whether something is mounted at a path, which need not be a file system of its own. */
export const isMountPoint = async (mount: Pick<MountCommands, 'list'>, path: string): Promise<boolean> =>
  (await mount.list()).some((point) => point.path === path);

/** Programs that mount and unmount, found on `PATH` when they are names. */
export interface MountCommandsOptions {
  /** Default `mount`. */
  readonly mountProgram?: string | undefined;
  /** Default `umount`. */
  readonly unmountProgram?: string | undefined;
}

/** A network file system may never answer. */
const timeoutMs = 120_000;

/** Mounts by mount(8) and umount(8). */
export function createMountCommands(options: MountCommandsOptions = {}): MountCommands {
  const { mountProgram = 'mount', unmountProgram = 'umount' } = options;
  return {
    mount: ({ source, target, fsType, options: mountOptions = [], isExact = false }) =>
      run('mount', mountProgram, [
        ...(isExact ? ['--no-canonicalize'] : []),
        ...(fsType === undefined ? [] : ['-t', fsType]),
        ...(mountOptions.length === 0 ? [] : ['-o', mountOptions.join(',')]),
        source,
        target,
      ]),
    share: (target) => run('mount', mountProgram, ['--make-rshared', target]),
    unmount: (target) => run('unmount', unmountProgram, [target]),
    list: async () => parseMountTable(await readFile('/proc/self/mountinfo', 'utf8')),
  };
}

function run(what: 'mount' | 'unmount', program: string, args: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(program, args, { timeout: timeoutMs, encoding: 'utf8' }, (error, stdout, stderr) => {
    if (error === null) resolve();
    else reject(new Error(describe(what, program, args, `${stdout}${stderr}`, error), { cause: error }));
  });
  return promise;
}

function describe(
  what: 'mount' | 'unmount',
  program: string,
  args: readonly string[],
  output: string,
  { code, message }: { code?: number | string | null | undefined; message: string },
): string {
  const why = typeof code === 'number' ? `exit status ${code}` : message;
  if (what === 'unmount')
    return `unmount failed: ${why}\nUnmounting arguments: ${args.join(' ')}\nOutput: ${output}`;
  return `mount failed: ${why}\nMounting command: ${program}\nMounting arguments: ${args.join(' ')}\nOutput: ${output}`;
}
