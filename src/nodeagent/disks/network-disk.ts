import { asJsonObject, asText } from '../../base/index.ts';
import type { DiskHost } from './disk-host.ts';
import { attachFc, detachFc, type FcDisk, fcPath } from './fc-disk.ts';
import { attachIscsi } from './iscsi-attach.ts';
import { detachIscsi } from './iscsi-detach.ts';
import { type ChapAccess, type IscsiDisk, iscsiPath } from './iscsi-disk.ts';

/** A disk of a storage network: all that is needed to bring it, but for secrets, and to take it away. */
export type NetworkDisk = IscsiDisk | FcDisk;

/** Folder of a disk, below that of its plugin: one disk, one path. */
export const diskPath = (disk: NetworkDisk): string =>
  disk.kind === 'iscsi' ? iscsiPath(disk) : fcPath(disk);

/** Disks of one queue must be brought and taken away one after another: those of one target share its sessions. */
export const diskQueue = (disk: NetworkDisk): string =>
  disk.kind === 'iscsi' ? `iscsi ${disk.iqn}` : `fc ${fcPath(disk)}`;

/** Brings a disk to the node, and gives the path of its device. Idempotent. @throws Error with release 1.20's message */
export const attachDisk = (host: DiskHost, disk: NetworkDisk, chap?: ChapAccess): Promise<string> =>
  disk.kind === 'iscsi' ? attachIscsi(host, disk, chap) : attachFc(host, disk);

/** Takes a disk from the node, where `others` stay. Idempotent. @throws Error with release 1.20's message */
export function detachDisk(host: DiskHost, disk: NetworkDisk, others: readonly NetworkDisk[]): Promise<void> {
  if (disk.kind === 'iscsi')
    return detachIscsi(
      host,
      disk,
      others.filter((one) => one.kind === 'iscsi'),
    );
  return detachFc(
    host,
    disk,
    others.filter((one) => one.kind === 'fc'),
  );
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
  const { kind, uniqueName, portals, iqn, lun, iface, copied, wwns, wwids } = asJsonObject(value);
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
