import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorCode, errorText, namesIn } from '../../base/index.ts';
import { type DiskHost, describeEnd, deviceNameOf } from './disk-host.ts';

/** Name of the multipath device that has a device below it, such as `dm-0`; undefined when there is none. */
export async function multipathNameOf(path: string, host: DiskHost): Promise<string | undefined> {
  const name = await deviceNameOf(path, host);
  if (name === undefined) return undefined;
  const blocks = posix.join(host.sysFolder, 'block');
  for (const mapped of (await namesIn(blocks)).filter((one) => one.startsWith('dm-')).sort()) {
    if (await isThere(posix.join(blocks, mapped, 'slaves', name))) return mapped;
  }
  return undefined;
}

/** Names of the devices below a multipath device. @throws Error */
export const slavesOf = (mapped: string, { sysFolder }: DiskHost): Promise<string[]> =>
  namesIn(posix.join(sysFolder, 'block', mapped, 'slaves'));

/** Has the kernel look for one LUN behind a SCSI host, and for no other: what nobody asked for would stay. @throws Error */
export async function scanLun(hostNumber: number, lun: number, { sysFolder }: DiskHost): Promise<void> {
  const file = posix.join(sysFolder, 'class/scsi_host', `host${hostNumber}`, 'scan');
  // Channel and target are always 0 for iSCSI.
  await writeExisting(file, `0 0 ${lun}`);
}

/** Has the kernel look for whatever is behind all SCSI hosts. A host that cannot be asked is logged. */
export async function rescanHosts({ sysFolder, logger }: DiskHost): Promise<void> {
  const folder = posix.join(sysFolder, 'class/scsi_host');
  for (const name of await namesIn(folder)) {
    await writeExisting(posix.join(folder, name, 'scan'), '- - -').catch((error) =>
      logger.error('SCSI host not scanned', { host: name, error: errorText(error) }),
    );
  }
}

/** Ends a multipath device, after all that it holds has been written. @throws Error */
export async function flushMultipath(mapped: string, { devFolder, run }: DiskHost): Promise<void> {
  const device = posix.join(devFolder, mapped);
  const result = await run('multipath', ['-f', device]);
  if (result.code === 0) return;
  throw new Error(
    `failed to flush multipath device ${device}: ${describeEnd('multipath', result)}\n${result.output}`,
  );
}

/** Takes a SCSI device away from the kernel; one that has gone already is no error. @throws Error */
export async function removeDevice(
  name: string,
  { devFolder, sysFolder, run, logger }: DiskHost,
): Promise<void> {
  const file = posix.join(sysFolder, 'block', name, 'device/delete');
  if (!(await isThere(file))) return;
  const { code, output } = await run('blockdev', ['--flushbufs', posix.join(devFolder, name)]);
  // As in release 1.20: a device that cannot be reached any more must go nevertheless.
  if (code !== 0) logger.error('device buffers not flushed', { device: name, error: output });
  await writeExisting(file, '1').catch((error) => {
    if (!['ENOENT', 'ENODEV', 'ENXIO'].includes(errorCode(error) ?? '')) throw error;
  });
}

/** Whether a device is mounted, swapped to or below another device; what is gone is not. */
export async function isInUse(name: string, { devFolder }: DiskHost): Promise<boolean> {
  try {
    // open(2): a block device that the kernel uses cannot be opened like this.
    const handle = await open(posix.join(devFolder, name), constants.O_RDONLY | constants.O_EXCL);
    await handle.close();
    return false;
  } catch (error) {
    return errorCode(error) === 'EBUSY';
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Never makes a file; and files that can only be written to must not be opened for reading too. @throws Error */
async function writeExisting(file: string, text: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY);
  try {
    await handle.write(text);
  } finally {
    await handle.close();
  }
}
