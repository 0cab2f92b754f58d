import { mkdir, rmdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Dialect } from '../../machinery/dialect.ts';
import type { VolumeDriver } from '../volume-plugins/contract.ts';
import { driverOptions } from '../volume-plugins/driver-options.ts';
import { describeError, isMissing } from './describe-error.ts';
import { flexPluginFolder, volumeKey } from './flex-mounts.ts';
import type { FlexSource } from './flex-source.ts';
import { isMountPoint, type MountCommands } from './mount-commands.ts';
import { MountStepError } from './mount-step-error.ts';

/** Who attaches devices to this node. */
export type Attacher =
  | { readonly kind: 'agent'; readonly nodeName: string }
  | {
      readonly kind: 'controller';
      /** As the API server has it; undefined when that is not known. */
      readonly node: () => NodeVolumes | undefined;
    };

/** What a node's status says of volumes. */
export interface NodeVolumes {
  readonly volumesInUse?: readonly string[] | null | undefined;
  readonly volumesAttached?:
    | readonly { readonly name: string; readonly devicePath: string }[]
    | null
    | undefined;
}

/** Where devices are mounted on the node, and whether agent or controller attaches them. */
export interface FlexDevicesOptions {
  /** Root folder of the agent. */
  readonly rootDirectory: string;
  readonly attacher: Attacher;
  readonly dialect: Dialect;
  readonly mount: MountCommands;
  /** Names, as the node's status has them, of volumes that are in use or about to be; kept up to date. */
  readonly used: Set<string>;
}

/**
 * Devices of drivers that attach. Each is mounted once on the node, below the agent's root folder; pods get bind mounts
 * of it.
 */
export class FlexDevices {
  readonly #options: FlexDevicesOptions;
  readonly #plugins: string;
  /** Devices that are attached though their driver mounted nothing: the mount table does not show these. */
  readonly #ready = new Set<string>();

  constructor(options: FlexDevicesOptions) {
    this.#options = options;
    this.#plugins = flexPluginFolder(options.rootDirectory, options.dialect);
  }

  /** Where a device is mounted for all pods. */
  pathOf(driver: string, name: string): string {
    return posix.join(this.#plugins, driver, 'mounts', name);
  }

  /** Attaches and mounts the device of a volume, unless both are done. @throws MountStepError */
  async ensure(driver: VolumeDriver, source: FlexSource): Promise<void> {
    const { dialect, mount } = this.#options;
    const key = volumeKey(driver.name, source.name);
    const path = this.pathOf(driver.name, source.name);
    if (this.#ready.has(key) || (await isMountPoint(mount, path))) return;
    const json = driverOptions(dialect, { ...source, volumeName: source.name });
    const attached = await this.#attach({ driver, source, json, key });
    const waited = await step('MountVolume.WaitForAttach', () =>
      driver.call('waitforattach', [attached, json]),
    );
    const devicePath = waited?.device ?? attached;
    await step('MountVolume.MountDevice', async () => {
      await mkdir(path, { recursive: true, mode: 0o750 });
      const answer = await driver.call('mountdevice', [path, devicePath, json]);
      if (answer !== undefined || devicePath === '') return;
      await mount.mount({
        source: devicePath,
        target: path,
        fsType: source.fsType === '' ? undefined : source.fsType,
        options: [source.isReadOnly ? 'ro' : 'rw'],
      });
    });
    this.#ready.add(key);
  }

  /** Unmounts and detaches a device that no pod has mounted any more. @throws Error */
  async release(driver: VolumeDriver, name: string): Promise<void> {
    const { attacher, mount, used } = this.#options;
    const key = volumeKey(driver.name, name);
    const path = this.pathOf(driver.name, name);
    if (await isMountPoint(mount, path)) {
      if ((await driver.call('unmountdevice', [path])) === undefined) await mount.unmount(path);
      if (await isMountPoint(mount, path)) throw new Error(`unmountdevice left ${path} mounted`);
    }
    this.#ready.delete(key);
    await removeFolder(path);
    if (attacher.kind === 'agent') await driver.call('detach', [name, attacher.nodeName]);
    used.delete(key);
  }

  async #attach({ driver, source, json, key }: AttachRequest): Promise<string> {
    const { attacher } = this.#options;
    if (attacher.kind === 'agent') {
      const run = () => driver.call('attach', [json, attacher.nodeName]);
      return (await step('AttachVolume.Attach', run, 'FailedAttachVolume'))?.device ?? '';
    }
    const node = attacher.node();
    // The controller's work is awaited: as in release 1.20, no event tells of that.
    const refuse = (message: string): Error =>
      new MountStepError('VerifyControllerAttachedVolume', message, { isQuiet: true });
    if (!node?.volumesInUse?.includes(key)) {
      throw refuse("Volume has not been added to the list of VolumesInUse in the node's volume status");
    }
    const found = node.volumesAttached?.find(({ name }) => name === key);
    if (found === undefined) throw refuse(`Volume not attached according to node status: ${source.name}`);
    return found.devicePath;
  }
}

interface AttachRequest {
  readonly driver: VolumeDriver;
  readonly source: FlexSource;
  readonly json: string;
  readonly key: string;
}

async function step<T>(
  name: string,
  run: () => Promise<T>,
  reason: MountStepError['reason'] = 'FailedMount',
): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new MountStepError(name, describeError(cause), { reason, cause });
  }
}

/** Removes an empty folder; one that is missing was removed by its driver. @throws Error when the folder is not empty */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
