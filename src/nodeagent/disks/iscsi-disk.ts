import { isIPv6 } from 'node:net';
import type { ISCSIPersistentVolumeSource } from '../../apis/types/core-v1.ts';

/** A disk of an iSCSI target. */
export interface IscsiDisk {
  readonly kind: 'iscsi';
  /** As the node's status names it (release 1.20), without the plugin. */
  readonly uniqueName: string;
  /** `HOST:PORT` of each way to it, once each; the first one names its folder. */
  readonly portals: readonly string[];
  readonly iqn: string;
  readonly lun: number;
  /** Record of `iscsiadm` with the settings that its sessions are made with. */
  readonly iface: string;
  /** `iface` is a copy of another, made for this disk alone so that it has this initiator name. */
  readonly copied?: { readonly from: string; readonly initiatorName: string } | undefined;
}

/** What a target wants to be told (CHAP), when its targets are asked for and when a session begins. */
export interface ChapAccess {
  readonly discovery: boolean;
  readonly session: boolean;
  /** By the names of `iscsiadm`'s settings, in base64 as secrets have them. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What is described about a disk, wherever. */
export type IscsiDescription = Omit<ISCSIPersistentVolumeSource, 'secretRef'>;

/** The disk of a volume. @throws Error for names that would lead out of the folders that they become names of files in */
export function iscsiDiskOf(volumeName: string, source: IscsiDescription): IscsiDisk {
  const { targetPortal, portals = [], iqn, lun, initiatorName = '' } = source;
  const all = [...new Set([targetPortal, ...portals].map(withPort))];
  const from = source.iscsiInterface || 'default';
  for (const name of [...all, iqn, from]) {
    if (name.includes('/') || name === '')
      throw new Error(`invalid iSCSI portal, target or interface: ${name}`);
  }
  const common = {
    kind: 'iscsi',
    uniqueName: `${targetPortal}:${iqn}:${lun}`,
    portals: all,
    iqn,
    lun,
  } as const;
  if (initiatorName === '') return { ...common, iface: from };
  return { ...common, iface: `${all[0]}:${volumeName}`, copied: { from, initiatorName } };
}

function withPort(portal: string): string {
  if (isIPv6(portal)) return `[${portal}]:3260`;
  return portal.includes(':') && !portal.endsWith(']') ? portal : `${portal}:3260`;
}

/** A portal as the kernel and `udev` write it: addresses of IPv6 have no brackets there. */
export const barePortal = (portal: string): string => portal.replace(/^\[(.*)\]:/, '$1:');

/** Folder of a disk below that of its plugin (release 1.20). */
export const iscsiPath = ({ iface, portals, iqn, lun }: IscsiDisk): string =>
  `iface-${iface}/${portals[0]}-${iqn}-lun-${lun}`;

/** Whether a link below `disk/by-path` leads to the disk by way of a portal; hardware that speaks iSCSI has a prefix. */
export function isLinkOf(
  { iqn, lun }: IscsiDisk,
  portal: string,
  transport: string,
): (link: string) => boolean {
  const names = [portal, barePortal(portal)].map((one) => `ip-${one}-iscsi-${iqn}-lun-${lun}`);
  if (transport === 'tcp') return (link) => names.includes(link);
  return (link) => link.startsWith('pci-') && names.some((name) => link.endsWith(`-${name}`));
}

/** What is undone when a disk goes, and what stays because others use it. */
export interface IscsiDetachPlan {
  readonly removesDevices: boolean;
  /** Whose sessions end. */
  readonly portals: readonly string[];
  readonly removesIface: boolean;
}

/** Decides what goes with a disk while `others` stay on the node. */
export function planDetach(disk: IscsiDisk, others: readonly IscsiDisk[]): IscsiDetachPlan {
  const shared = others.filter(({ iqn, iface }) => iqn === disk.iqn && iface === disk.iface);
  const kept = new Set(shared.flatMap(({ portals }) => portals));
  const isOwnIface = disk.copied !== undefined && others.every(({ iface }) => iface !== disk.iface);
  return {
    // Described in another way, the same LUN may be another volume.
    removesDevices: shared.every(({ lun }) => lun !== disk.lun),
    portals: disk.portals.filter((portal) => !kept.has(portal)),
    removesIface: isOwnIface,
  };
}
