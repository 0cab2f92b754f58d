import { posix } from 'node:path';
import { errorText } from '../../base/index.ts';
import type { DiskHost } from './disk-host.ts';
import { IscsiAdmin } from './iscsi-admin.ts';
import { type IscsiDisk, planDetach } from './iscsi-disk.ts';
import { devicesOfLun, otherDevicesOf, readSessions, sessionsOf, sessionVia } from './iscsi-sessions.ts';
import { flushMultipath, isInUse, multipathNameOf, removeDevice } from './scsi-devices.ts';

/** iscsiadm(8): there is no such session, or no such record. */
const goneCodes: readonly (number | undefined)[] = [2, 21];

/**
 * Takes a disk from the node that nobody uses any more: its devices, the sessions that only it has of all disks on the
 * node (`others`), their records, and the record that was copied for it. What has gone already is no error.
 *
 * @throws Error with release 1.20's message; it may be called again
 */
export async function detachIscsi(
  host: DiskHost,
  disk: IscsiDisk,
  others: readonly IscsiDisk[],
): Promise<void> {
  const { iqn, iface } = disk;
  const plan = planDetach(disk, others);
  if (plan.removesDevices) await removeDevices(host, disk);
  const admin = new IscsiAdmin(host);
  let isKept = false;
  for (const portal of plan.portals) {
    if (await hasOtherUse(host, disk, portal)) isKept = true;
    else await endSession(admin, ['-m', 'node', '-p', portal, '-T', iqn], iface);
  }
  if (isKept || !plan.removesIface) return;
  await carryOut(admin, 'delete iface', ['-m', 'iface', '-I', iface, '-o', 'delete']);
}

/** Whether the node itself uses another LUN of the session: no volume has one. */
async function hasOtherUse(host: DiskHost, { iqn, iface, lun }: IscsiDisk, portal: string): Promise<boolean> {
  const session = sessionVia(sessionsOf(await readSessions(host, iqn), iface), portal);
  if (session === undefined) return false;
  for (const device of await otherDevicesOf(session, lun)) {
    if (!(await isInUse(device, host))) continue;
    host.logger.info('iSCSI session kept, a device of it is in use', { portal, iqn, device });
    return true;
  }
  return false;
}

async function endSession(admin: IscsiAdmin, record: readonly string[], iface: string): Promise<void> {
  await carryOut(admin, 'detach disk', [...record, '--logout', '-I', iface]);
  await carryOut(admin, 'delete node record', [...record, '-o', 'delete', '-I', iface]);
}

async function carryOut(admin: IscsiAdmin, what: string, args: readonly string[]): Promise<void> {
  const { code, output, end } = await admin.run(...args);
  if (code === 0 || goneCodes.includes(code)) return;
  throw new Error(`failed to finish detachISCSIDisk, err: ${end}: iscsi: failed to ${what} Error: ${output}`);
}

async function removeDevices(host: DiskHost, { iqn, iface, lun }: IscsiDisk): Promise<void> {
  const sessions = sessionsOf(await readSessions(host, iqn), iface);
  const names = await devicesOfLun(sessions, lun);
  const mapped = await Promise.all(
    names.map((name) => multipathNameOf(posix.join(host.devFolder, name), host)),
  );
  // As in release 1.20: where a device cannot be removed, the end of its session still may do it.
  const orLog = (error: unknown): void =>
    host.logger.error('iSCSI device not removed', { iqn, lun, error: errorText(error) });
  for (const name of new Set(mapped)) if (name !== undefined) await flushMultipath(name, host).catch(orLog);
  for (const name of names) await removeDevice(name, host).catch(orLog);
}
