import { posix } from 'node:path';
import type { FCVolumeSource } from '../../apis/types/core-v1.ts';
import { namesIn } from '../../base/index.ts';
import { type DiskHost, deviceNameOf, waitFor } from './disk-host.ts';
import { flushMultipath, multipathNameOf, removeDevice, rescanHosts, slavesOf } from './scsi-devices.ts';

/** So long `udev` may take to make the links of what a scan has found. */
const deviceTimeoutMs = 5000;

/** A disk behind Fibre Channel. */
export interface FcDisk {
  readonly kind: 'fc';
  /** As the node's status names it (release 1.20), without the plugin. */
  readonly uniqueName: string;
  /** Names of its target's ports; empty for a disk that `wwids` name. */
  readonly wwns: readonly string[];
  /** Together with `wwns` only. */
  readonly lun: number;
  /** Its own names, as `udev` writes them. */
  readonly wwids: readonly string[];
}

/** The disk of a volume. @throws Error when it has no name, or one that would lead out of a folder */
export function fcDiskOf({ targetWWNs = [], lun, wwids = [] }: FCVolumeSource): FcDisk {
  const disk = ((): FcDisk => {
    if (targetWWNs.length > 0 && lun !== undefined) {
      return { kind: 'fc', uniqueName: `[${targetWWNs.join(' ')}]:${lun}`, wwns: targetWWNs, lun, wwids: [] };
    }
    const names = wwids.map((wwid) => wwid.replaceAll(' ', '_'));
    return { kind: 'fc', uniqueName: `[${wwids.join(' ')}]`, wwns: [], lun: 0, wwids: names };
  })();
  const names = [...disk.wwns, ...disk.wwids];
  if (names.length === 0) throw new Error('fc: no fc disk information found. failed to make a new mounter');
  for (const name of names) {
    if (name.includes('/') || name === '' || name.startsWith('.'))
      throw new Error(`fc: invalid name of a disk: ${name}`);
  }
  return disk;
}

/** Folder of a disk below that of its plugin (release 1.20). */
export const fcPath = ({ wwns, wwids, lun }: FcDisk): string =>
  wwns.length > 0 ? `${wwns[0]}-lun-${lun}` : (wwids[0] ?? '');

/** Paths below the folder of devices that `udev` gives a disk, and how they are recognized. */
export function fcLinks({ wwns, wwids, lun }: FcDisk): { folder: string; isLink: (name: string) => boolean } {
  if (wwns.length > 0) {
    const ends = wwns.map((wwn) => `-fc-0x${wwn}-lun-${lun}`);
    return { folder: 'disk/by-path', isLink: (name) => ends.some((end) => name.endsWith(end)) };
  }
  return { folder: 'disk/by-id', isLink: (name) => wwids.some((wwid) => name === `scsi-${wwid}`) };
}

/**
 * The path of a disk's device; all SCSI hosts look for new ones first, unless there is a multipath device of it already.
 *
 * @throws Error with release 1.20's message when it is not there; it may come later
 */
export async function attachFc(host: DiskHost, disk: FcDisk): Promise<string> {
  const before = await findFc(host, disk);
  if (before.mapped !== undefined) return posix.join(host.devFolder, before.mapped);
  await rescanHosts(host);
  const name = await waitFor(host, { timeoutMs: deviceTimeoutMs }, async () => {
    const { mapped, names } = await findFc(host, disk);
    return mapped ?? names[0];
  });
  if (name === undefined) throw new Error('no fc disk found');
  return posix.join(host.devFolder, name);
}

/**
 * Takes a disk from the node that nobody uses any more, with all of its paths; none that is also a path of one of `others`.
 * What has gone already is no error.
 *
 * @throws Error with release 1.20's message; it may be called again
 */
export async function detachFc(host: DiskHost, disk: FcDisk, others: readonly FcDisk[]): Promise<void> {
  const { mapped, names } = await findFc(host, disk);
  const kept = await Promise.all(others.map((other) => findFc(host, other)));
  const isKept = (name: string): boolean => kept.some((other) => other.names.includes(name));
  if (names.some(isKept)) return;
  const slaves = mapped === undefined ? [] : await slavesOf(mapped, host);
  // Paths must not go before what is on its way to them has arrived.
  if (mapped !== undefined) await flushMultipath(mapped, host);
  for (const name of new Set([...slaves, ...names])) await removeDevice(name, host);
}

async function findFc(
  host: DiskHost,
  disk: FcDisk,
): Promise<{ mapped: string | undefined; names: string[] }> {
  const { folder, isLink } = fcLinks(disk);
  const path = posix.join(host.devFolder, folder);
  const names = new Set<string>();
  let mapped: string | undefined;
  for (const link of (await namesIn(path)).filter(isLink).sort()) {
    const name = await deviceNameOf(posix.join(path, link), host);
    if (name === undefined) continue;
    names.add(name);
    mapped ??= name.startsWith('dm-') ? name : await multipathNameOf(posix.join(host.devFolder, name), host);
  }
  return { mapped, names: [...names] };
}
