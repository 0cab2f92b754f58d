import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { errorText, namesIn } from '../../base/index.ts';
import type { DiskHost } from './disk-host.ts';
import { barePortal } from './iscsi-disk.ts';

/** A session with a target, as the kernel shows it. */
export interface IscsiSession {
  readonly hostNumber: number;
  /** Folder of the session. */
  readonly path: string;
  /** Record that it was made with; undefined where the kernel does not tell. */
  readonly iface: string | undefined;
  /** Where it is connected now, and where it was connected first; bare (`barePortal`). */
  readonly portals: readonly string[];
}

/** Sessions with a target. One that ends meanwhile is left out. @throws Error of the file system */
export async function readSessions(host: DiskHost, iqn: string): Promise<IscsiSession[]> {
  const folder = posix.join(host.sysFolder, 'class/iscsi_host');
  const sessions: IscsiSession[] = [];
  for (const hostName of await namesIn(folder)) {
    const [, number] = /^host(\d+)$/.exec(hostName) ?? [];
    if (number === undefined) continue;
    const device = posix.join(folder, hostName, 'device');
    for (const name of (await namesIn(device)).filter((one) => one.startsWith('session'))) {
      const path = posix.join(device, name);
      const facts = posix.join(path, 'iscsi_session', name);
      try {
        if ((await readText(posix.join(facts, 'targetname'))) !== iqn) continue;
        const iface = await readText(posix.join(facts, 'ifacename')).catch(() => undefined); // older kernels
        sessions.push({ hostNumber: Number(number), path, iface, portals: await readPortals(path) });
      } catch (error) {
        host.logger.info('iSCSI session not readable, taken as ended', {
          session: name,
          error: errorText(error),
        });
      }
    }
  }
  return sessions;
}

/** Sessions that a record of `iscsiadm` has made. */
export const sessionsOf = (sessions: readonly IscsiSession[], iface: string): IscsiSession[] =>
  sessions.filter((session) => session.iface === undefined || session.iface === iface);

/** The session by way of a portal. */
export const sessionVia = (sessions: readonly IscsiSession[], portal: string): IscsiSession | undefined =>
  sessions.find(({ portals }) => portals.includes(barePortal(portal)));

/** Names of the block devices of a LUN, one for each session that has it. @throws Error of the file system */
export async function devicesOfLun(sessions: readonly IscsiSession[], lun: number): Promise<string[]> {
  const found = await Promise.all(
    sessions.map(({ path, hostNumber }) => {
      const target = posix.join(path, `target${hostNumber}:0:0`, `${hostNumber}:0:0:${lun}`);
      return namesIn(posix.join(target, 'block'));
    }),
  );
  return found.flat();
}

/** Names of the block devices of all other LUNs of a session. @throws Error of the file system */
export async function otherDevicesOf({ path }: IscsiSession, lun: number): Promise<string[]> {
  const found: string[] = [];
  for (const target of (await namesIn(path)).filter((name) => name.startsWith('target'))) {
    for (const address of await namesIn(posix.join(path, target))) {
      if (address.endsWith(`:${lun}`)) continue;
      found.push(...(await namesIn(posix.join(path, target, address, 'block'))));
    }
  }
  return found;
}

async function readPortals(path: string): Promise<string[]> {
  const portals: string[] = [];
  for (const name of (await namesIn(path)).filter((one) => one.startsWith('connection'))) {
    const facts = posix.join(path, name, 'iscsi_connection', name);
    const read = (fact: string): Promise<string> => readText(posix.join(facts, fact));
    portals.push(`${await read('address')}:${await read('port')}`);
    portals.push(`${await read('persistent_address')}:${await read('persistent_port')}`);
  }
  return portals;
}

const readText = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim();
