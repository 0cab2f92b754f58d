/**
 * Disks of storage networks (iSCSI, Fibre Channel, images of Ceph): brought to this node, found below `/dev`, and taken away again, as
 * release 1.20 does it. Runs `iscsiadm(8)` and `rbd(8)`, reads and writes the kernel's view of SCSI devices; formats and mounts nothing,
 * and keeps nothing of its own: what is needed to take a disk away is in the disk that was brought.
 */

import { asJsonObject, asText } from '../../base/index.ts';
import type { DiskHost } from './disk-host.ts';
import { attachFc, detachFc, type FcDisk, fcPath } from './fc-disk.ts';
import { attachIscsi } from './iscsi-attach.ts';
import { detachIscsi } from './iscsi-detach.ts';
import { type ChapAccess, type IscsiDisk, iscsiPath } from './iscsi-disk.ts';
import { attachRbd, detachRbd, type RbdAccess, type RbdDisk, rbdPath } from './rbd-disk.ts';

/** A disk of a storage network: all that is needed to take it away, and to bring it but for what is secret. */
export type NetworkDisk = IscsiDisk | FcDisk | RbdDisk;

/** What a disk is brought with that nobody keeps. */
export interface DiskAccess {
  readonly chap?: ChapAccess | undefined;
  /** Needed for images of Ceph. */
  readonly rbd?: RbdAccess | undefined;
}

/** Folder of a disk, below that of devices of its plugin: one disk, one path. */
export function diskPath(disk: NetworkDisk): string {
  if (disk.kind === 'iscsi') return iscsiPath(disk);
  return disk.kind === 'fc' ? fcPath(disk) : rbdPath(disk);
}

/** Where a disk is mounted for the node, below the folder of its plugin (release 1.20). */
export const diskMountPath = (disk: NetworkDisk): string =>
  disk.kind === 'rbd' ? `mounts/${rbdPath(disk)}` : diskPath(disk);

/** Disks of one queue must be brought and taken away one after another: those of one target share its sessions. */
export const diskQueue = (disk: NetworkDisk): string =>
  `${disk.kind} ${disk.kind === 'iscsi' ? disk.iqn : diskPath(disk)}`;

/** Brings a disk to the node, and gives the path of its device. Idempotent. @throws Error with release 1.20's message */
export async function attachDisk(host: DiskHost, disk: NetworkDisk, access: DiskAccess): Promise<string> {
  if (disk.kind === 'iscsi') return attachIscsi(host, disk, access.chap);
  if (disk.kind === 'fc') return attachFc(host, disk);
  if (access.rbd === undefined) throw new TypeError('nothing says how the cluster lets the node in');
  return attachRbd(host, disk, access.rbd);
}

/** Takes a disk from the node, where `others` stay. Idempotent. @throws Error with release 1.20's message */
export async function detachDisk(
  host: DiskHost,
  disk: NetworkDisk,
  others: readonly NetworkDisk[],
): Promise<void> {
  const like = <K extends NetworkDisk['kind']>(kind: K) =>
    others.filter((one): one is Extract<NetworkDisk, { kind: K }> => one.kind === kind);
  if (disk.kind === 'iscsi') return detachIscsi(host, disk, like('iscsi'));
  return disk.kind === 'fc' ? detachFc(host, disk, like('fc')) : detachRbd(host, disk);
}

/** A disk with all ways to it that two descriptions of it name. */
export function joinDisks(disk: NetworkDisk, other: NetworkDisk): NetworkDisk {
  const join = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
  if (disk.kind === 'iscsi' && other.kind === 'iscsi')
    return { ...disk, portals: join(disk.portals, other.portals) };
  if (disk.kind === 'fc' && other.kind === 'fc') {
    return { ...disk, wwns: join(disk.wwns, other.wwns), wwids: join(disk.wwids, other.wwids) };
  }
  return disk;
}

/** Reads what `JSON.stringify` made of a disk; undefined when it is something else. */
export function parseDisk(value: unknown): NetworkDisk | undefined {
  const { kind, uniqueName, portals, iqn, lun, iface, copied, wwns, wwids, pool, image } =
    asJsonObject(value);
  if (kind === 'rbd') {
    if (typeof uniqueName !== 'string' || typeof pool !== 'string' || typeof image !== 'string')
      return undefined;
    return { kind, uniqueName, pool, image };
  }
  if (typeof uniqueName !== 'string' || typeof lun !== 'number') return undefined;
  if (kind === 'fc') {
    if (!isTextList(wwns) || !isTextList(wwids) || wwns.length + wwids.length === 0) return undefined;
    return { kind, uniqueName, wwns, lun, wwids };
  }
  const { from, initiatorName } = asJsonObject(copied);
  if (kind !== 'iscsi' || !isTextList(portals) || portals.length === 0) return undefined;
  if (typeof iqn !== 'string' || typeof iface !== 'string') return undefined;
  const own = { copied: { from: asText(from), initiatorName: asText(initiatorName) } };
  return { kind, uniqueName, portals, iqn, lun, iface, ...(copied === undefined ? {} : own) };
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
