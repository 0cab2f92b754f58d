import { mkdir, rmdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorText, type Logger, namesIn } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { podsDirectory } from '../container-config/index.ts';
import { type RunProgram, runProgram } from '../host/index.ts';
import { isMissing } from './describe-error.ts';
import { formatAndMount, growFileSystem } from './format-device.ts';
import type { MountCommands } from './mount-commands.ts';
import { createPodQueues } from './pod-queues.ts';

/** A block device of a local volume, which the node mounts once for all pods. */
export interface LocalDevice {
  /** Uid of the pod that gets it. */
  readonly podUid: string;
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

/** Where devices are mounted, and by what means. */
export interface LocalDevicesOptions {
  readonly rootDirectory: string;
  readonly dialect: Dialect;
  readonly mount: MountCommands;
  readonly logger: Logger;
  readonly run?: RunProgram;
}

/** Local volumes that are block devices with a file system: mounted once, for as long as a pod has them. */
export class LocalDevices {
  readonly #rootDirectory: string;
  readonly #folder: string;
  readonly #mount: MountCommands;
  readonly #run: RunProgram;
  readonly #logger: Logger;
  readonly #queues = createPodQueues();
  /** Pods that this process gave a device to, by the device's volume. */
  readonly #pods = new Map<string, Set<string>>();

  constructor({ rootDirectory, dialect, mount, logger, run = runProgram }: LocalDevicesOptions) {
    this.#rootDirectory = rootDirectory;
    this.#logger = logger;
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
      this.#pods.set(local.name, (this.#pods.get(local.name) ?? new Set()).add(local.podUid));
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

  /**
   * Unmounts devices that no pod has any more. One that cannot go, and that the pod did not have, is logged: it is another
   * pod that has to wait for it.
   *
   * @throws Error
   */
  async release(podUid: string): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      await this.#queues
        .run(name, () => this.#releaseOne(name))
        .then(() => this.#pods.get(name)?.delete(podUid))
        .catch((error) => {
          if (this.#pods.get(name)?.has(podUid) === true) throw error;
          this.#logger.error('device of a local volume not unmounted', {
            volume: name,
            error: errorText(error),
          });
        });
    }
  }

  async #releaseOne(name: string): Promise<void> {
    const target = posix.join(this.#folder, name);
    const points = await this.#mount.list();
    const own = points.find(({ path }) => path === target);
    const pods = `${podsDirectory(this.#rootDirectory)}/`;
    if (points.some(({ path, device }) => device === own?.device && path.startsWith(pods))) return;
    if (own !== undefined) await this.#mount.unmount(target);
    await rmdir(target).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // two pods that end together find the same folder
    });
    this.expanded.delete(name);
    this.#pods.delete(name);
  }
}

/** Whether a path of the node is a block device; what is not there is none. */
export const isBlockDevice = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isBlockDevice(),
    () => false, // whoever uses it says why
  );
