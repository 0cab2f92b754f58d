import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { RBDPersistentVolumeSource } from '../../apis/types/core-v1.ts';
import { namesIn } from '../../base/index.ts';
import type { ProgramResult } from '../host/index.ts';
import { type DiskHost, describeEnd, waitFor } from './disk-host.ts';

/** An image of a Ceph cluster as a block device. */
export interface RbdDisk {
  readonly kind: 'rbd';
  /** As the node's status names it (release 1.20), without the plugin. */
  readonly uniqueName: string;
  readonly pool: string;
  readonly image: string;
}

/** How a cluster lets the node in. */
export interface RbdAccess {
  readonly monitors: readonly string[];
  readonly user: string;
  /** Files of the node: one with the key alone, or else one with keys by user. */
  readonly keyFile: string | undefined;
  readonly keyring: string;
  /** Other nodes may have the image too: all of them only read. */
  readonly isShared: boolean;
}

/** Clients of Ceph that died are forgotten after 30 seconds. */
const watcherTimeoutMs = 40_000;
const watcherPollMs = 2000;
const deviceTimeoutMs = 10_000;

/** The image of a volume. @throws Error for names that would lead out of a folder, or be taken for options */
export function rbdDiskOf({
  pool = 'rbd',
  image,
}: Pick<RBDPersistentVolumeSource, 'pool' | 'image'>): RbdDisk {
  for (const name of [pool, image]) {
    if (name === '' || name.includes('/') || name.startsWith('-'))
      throw new Error(`rbd: invalid pool or image: ${name}`);
  }
  return { kind: 'rbd', uniqueName: `${pool}:${image}`, pool, image };
}

/** Folder of an image, below those of mounts and of devices (release 1.20). */
export const rbdPath = ({ pool, image }: RbdDisk): string => `${pool}-image-${image}`;

/**
 * Maps an image to a device of the kernel, unless it is mapped, and gives the path of that. An image that another client
 * uses is waited for, and not taken from it.
 *
 * @throws Error with release 1.20's message
 */
export async function attachRbd(host: DiskHost, disk: RbdDisk, access: RbdAccess): Promise<string> {
  const mapped = await findRbd(host, disk);
  if (mapped !== undefined) return mapped;
  const { pool, image } = disk;
  if (!access.isShared) await waitUntilFree(host, disk, access);
  const loaded = await host.run('modprobe', ['rbd']);
  // It may be part of the kernel; otherwise the mapping says that it fails.
  if (loaded.code !== 0) host.logger.debug('kernel module rbd not loaded', { output: loaded.output });
  const result = await host.run('rbd', ['map', `${pool}/${image}`, ...optionsOf(access)], 120_000);
  if (result.code !== 0)
    throw new Error(`rbd: map failed ${describeEnd('rbd', result)}, rbd output: ${result.output}`);
  const device = await waitFor(host, { timeoutMs: deviceTimeoutMs }, () => findRbd(host, disk));
  if (device !== undefined) return device;
  throw new Error(`Could not map image ${pool}/${image}, Timeout after ${deviceTimeoutMs / 1000}s`);
}

/** Takes an image from the node that nobody uses any more; one that has gone already is no error. @throws Error with release 1.20's message */
export async function detachRbd(host: DiskHost, disk: RbdDisk): Promise<void> {
  const device = await findRbd(host, disk);
  if (device === undefined) return;
  const result = await host.run('rbd', ['unmap', device], 120_000);
  if (result.code === 0) return;
  const what = `rbd: failed to unmap device ${device}`;
  throw new Error(`${what}, error ${describeEnd('rbd', result)}, rbd output: ${result.output}`);
}

/** Path of the device that an image is mapped to. */
async function findRbd(
  { sysFolder, devFolder }: DiskHost,
  { pool, image }: RbdDisk,
): Promise<string | undefined> {
  const folder = posix.join(sysFolder, 'bus/rbd/devices');
  // One that goes meanwhile is none.
  const read = (id: string, fact: string): Promise<string> =>
    readFile(posix.join(folder, id, fact), 'utf8').then(
      (text) => text.trim(),
      () => '',
    );
  for (const id of await namesIn(folder)) {
    if ((await read(id, 'pool')) !== pool || (await read(id, 'name')) !== image) continue;
    const name = `rbd${id}`;
    if ((await namesIn(devFolder)).includes(name)) return posix.join(devFolder, name);
  }
  return undefined;
}

async function waitUntilFree(host: DiskHost, { pool, image }: RbdDisk, access: RbdAccess): Promise<void> {
  const args = ['status', image, '--pool', pool, ...optionsOf(access)];
  const isFree = await waitFor(host, { timeoutMs: watcherTimeoutMs, pollMs: watcherPollMs }, async () => {
    const result: ProgramResult = await host.run('rbd', args);
    if (result.code === 0) return result.output.includes('watcher=') ? undefined : true;
    const why = `with: (${describeEnd('rbd', result)}), rbd output: (${result.output})`;
    throw new Error(`fail to check rbd image status ${why}`);
  });
  if (isFree === undefined) throw new Error(`rbd image ${pool}/${image} is still being used`);
}

const optionsOf = ({ monitors, user, keyFile, keyring }: RbdAccess): string[] => [
  ...['--id', user, '-m', monitors.join(',')],
  ...(keyFile === undefined ? ['-k', keyring] : ['--keyfile', keyFile]),
];
