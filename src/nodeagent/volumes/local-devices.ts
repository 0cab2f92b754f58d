import { mkdir, rmdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { namesIn } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podsDirectory } from '../container-config/index.ts';
import { type RunProgram, runProgram } from '../host/index.ts';
import { formatAndMount, growFileSystem } from './format-device.ts';
import type { MountCommands } from './mount-commands.ts';
import { createPodQueues } from './pod-queues.ts';

/** A block device of a local volume, which the node mounts once for all pods. */
export interface LocalDevice {
  /** Of the persistent volume. */
  readonly name: string;
  readonly device: string;
  readonly fsType: string;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
}

/** A device that is mounted on the node. */
export interface MountedDevice {
  readonly path: string;
  /** It was mounted before: containers may use it. */
  readonly isInUse: boolean;
  /** Lets its file system fill it. @throws Error with release 1.20's message */
  grow(): Promise<void>;
}

/** Local volumes that are block devices with a file system: mounted once, for as long as a pod has them. */
export class LocalDevices {
  readonly #rootDirectory: string;
  readonly #folder: string;
  readonly #mount: MountCommands;
  readonly #run: RunProgram;
  readonly #queues = createPodQueues();

  constructor(rootDirectory: string, dialect: Dialect, mount: MountCommands, run: RunProgram = runProgram) {
    this.#rootDirectory = rootDirectory;
    this.#folder = posix.join(rootDirectory, 'plugins', dialect.label('local-volume'), 'mounts');
    this.#mount = mount;
    this.#run = run;
  }

  /** Bytes that volumes have grown to, by their names. */
  readonly expanded = new Map<string, number>();

  /**
   * Formats a device that is empty, mounts it unless it is mounted, and has `use` bind it into a pod; it is not released
   * before that has ended.
   *
   * @throws Error with release 1.20's message
   */
  withMount<T>(local: LocalDevice, use: (device: MountedDevice) => Promise<T>): Promise<T> {
    return this.#queues.run(local.name, async () => {
      const target = posix.join(this.#folder, local.name);
      const points = await this.#mount.list();
      const isInUse = points.some(({ path }) => path === target);
      if (!isInUse) {
        await mkdir(target, { recursive: true, mode: 0o750 });
        await formatAndMount({ ...local, target, mount: this.#mount, run: this.#run });
      }
      const grow = (): Promise<void> => growFileSystem(local.device, target, this.#run);
      return use({ path: target, isInUse, grow });
    });
  }

  /** Unmounts devices that no pod has any more. @throws Error */
  async release(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      await this.#queues.run(name, async () => {
        const target = posix.join(this.#folder, name);
        const points = await this.#mount.list();
        const own = points.find(({ path }) => path === target);
        const pods = `${podsDirectory(this.#rootDirectory)}/`;
        if (points.some(({ path, device }) => device === own?.device && path.startsWith(pods))) return;
        if (own !== undefined) await this.#mount.unmount(target);
        await rmdir(target);
        this.expanded.delete(name);
      });
    }
  }
}

/** Whether a path of the node is a block device; what is not there is none. */
export const isBlockDevice = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isBlockDevice(),
    () => false, // whoever uses it says why
  );
