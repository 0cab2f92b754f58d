import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorText, namesIn } from '../../base/index.ts';
import { type DiskHost, waitFor } from './disk-host.ts';
import { IscsiAdmin } from './iscsi-admin.ts';
import { type ChapAccess, type IscsiDisk, isLinkOf } from './iscsi-disk.ts';
import { copyIface, parseTransport, readIface } from './iscsi-iface.ts';
import { logIn } from './iscsi-login.ts';
import { readSessions, sessionsOf, sessionVia } from './iscsi-sessions.ts';
import { multipathNameOf, scanLun } from './scsi-devices.ts';

/** So many paths are enough for a disk that has several, once all were tried so often (release 1.20). */
const enoughPaths = 2;
const enoughAttempts = 2;
/** After so many attempts one path must do. */
const maxAttempts = 5;
const deviceTimeoutMs = 30_000;
const multipathTimeoutMs = 10_000;

/** Whether the search for paths ends with those that so many attempts have found. */
export function isEnough(
  found: number,
  { wanted, attempts }: { readonly wanted: number; readonly attempts: number },
): boolean {
  if (found === wanted || attempts >= maxAttempts) return true;
  return found >= enoughPaths && attempts >= enoughAttempts;
}

/**
 * Brings a disk to the node over all of its portals, as far as they answer; sessions that exist are used. Gives the path
 * of its device: that of the multipath device where there is one.
 *
 * @throws Error with release 1.20's message when it comes over no portal
 */
export async function attachIscsi(host: DiskHost, disk: IscsiDisk, chap?: ChapAccess): Promise<string> {
  const admin = new IscsiAdmin(host, Object.values(chap?.secrets ?? {}));
  const shown = await readIface(admin, disk);
  const transport = parseTransport(shown);
  if (transport === undefined) throw new Error(`Could not parse iface file for ${disk.iface}`);
  const { portals, iface, copied } = disk;
  if (copied !== undefined) await copyIface(admin, iface, { shown, initiatorName: copied.initiatorName });
  const paths = new Map<string, string>();
  const wanted = portals.length;
  for (let attempt = 1; !isEnough(paths.size, { wanted, attempts: attempt - 1 }); attempt++) {
    let failure: unknown;
    for (const portal of portals) {
      if (paths.has(portal)) continue;
      try {
        paths.set(portal, await attachVia(host, { admin, disk, portal, chap, transport }));
      } catch (error) {
        failure = error;
        host.logger.error('iSCSI portal failed', { portal, attempt, error: errorText(error) });
      }
    }
    if (paths.size > 0) continue;
    if (copied !== undefined) await admin.run('-m', 'iface', '-I', iface, '-o', 'delete');
    const what = 'failed to get any path for iscsi disk, last err seen';
    throw new Error(`${what}:\n${errorText(failure)}`, { cause: failure });
  }
  return devicePathOf(host, [...paths.values()], portals.length > 1);
}

interface Way {
  readonly admin: IscsiAdmin;
  readonly disk: IscsiDisk;
  readonly portal: string;
  readonly chap: ChapAccess | undefined;
  readonly transport: string;
}

async function attachVia(host: DiskHost, way: Way): Promise<string> {
  const { admin, disk, portal, transport } = way;
  const find = async () => sessionVia(sessionsOf(await readSessions(host, disk.iqn), disk.iface), portal);
  let session = await find();
  if (session === undefined) {
    const onWarning = (message: string, output: string): void =>
      host.logger.error(message, { portal, output });
    await logIn(admin, { ...way, onWarning });
    session = await find();
  }
  if (session === undefined) {
    throw new Error(`Could not get SCSI host number for portal ${portal} after logging in`);
  }
  await scanLun(session.hostNumber, disk.lun, host);
  const folder = posix.join(host.devFolder, 'disk/by-path');
  const isLink = isLinkOf(disk, portal, transport);
  const path = await waitFor(host, { timeoutMs: deviceTimeoutMs }, async () => {
    const link = (await namesIn(folder)).sort().find(isLink);
    return link !== undefined && (await isThere(posix.join(folder, link)))
      ? posix.join(folder, link)
      : undefined;
  });
  if (path !== undefined) return path;
  const name = `ip-${portal}-iscsi-${disk.iqn}-lun-${disk.lun}`;
  const where = posix.join(folder, transport === 'tcp' ? name : `pci-*-${name}`);
  throw new Error(`Timed out waiting for device at path ${where} after ${deviceTimeoutMs / 1000}s`);
}

/** A multipath device is waited for only where there are several paths: for one there may never be any. */
async function devicePathOf(host: DiskHost, paths: readonly string[], isMultipath: boolean): Promise<string> {
  const mapped = await waitFor(host, { timeoutMs: isMultipath ? multipathTimeoutMs : 0 }, async () => {
    for (const path of paths) {
      const name = await multipathNameOf(path, host);
      if (name !== undefined) return name;
    }
    return undefined;
  });
  return mapped === undefined ? (paths[0] ?? '') : posix.join(host.devFolder, mapped);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false, // the link is made before what it leads to, or removed after it
  );
