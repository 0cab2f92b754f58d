import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import {
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../../src/base/index.ts';

/**
 * The part of a machine that has SCSI devices, as folders: `dev` with links of udev, `sys` as the kernel shows hosts,
 * sessions and devices, `targets.json` with what is in the storage network. Disks are images behind loop devices, so that they
 * are formatted and mounted for real. `iscsiadm-program.ts` makes sessions; who writes to `scan` and `delete` is answered by
 * `ScsiMachine` as the kernel would.
 */
export interface ScsiTarget {
  readonly portals: readonly string[];
  /** Images of LUNs. */
  readonly luns: Readonly<Record<string, string>>;
  /** What it wants to be told before it lists its targets, and before a session: settings of `iscsiadm`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Portals that let nobody log in. */
  readonly refusing?: readonly string[];
  /** All paths of a LUN are below one multipath device. */
  readonly isMultipath?: boolean;
}

/** One way to a LUN. */
export interface ScsiPath {
  readonly image: string;
  /** Links of udev below `dev/disk` to the device. */
  readonly links: readonly string[];
  /** Folder that shows which device it is. */
  readonly block?: string | undefined;
  /** Image behind a multipath device that the path is one of. */
  readonly isMultipath?: boolean | undefined;
}

const run = promisify(execFile);

const deviceNumber = async (device: string): Promise<[string, string]> => {
  const { rdev } = await stat(device);
  return [`${rdev >> 8}`, `${rdev & 0xff}`];
};

/** Puts an image behind a loop device and that below the folder of devices. */
export async function addDevice(folder: string, name: string, image: string): Promise<void> {
  const device = (await run('losetup', ['-f', '--show', image])).stdout.trim();
  await mkdir(join(folder, 'dev'), { recursive: true });
  await run('mknod', [join(folder, 'dev', name), 'b', ...(await deviceNumber(device))]);
  await mkdir(join(folder, 'loops'), { recursive: true });
  await writeFile(join(folder, 'loops', name), device);
}

/** Undoes that, unless it is done. */
export async function dropDevice(folder: string, name: string): Promise<void> {
  const file = join(folder, 'loops', name);
  const device = await readFile(file, 'utf8').catch(() => '');
  // The end of a session and the request to delete a device may come at once: who removes the file drops it.
  const isOurs = await unlink(file).then(
    () => true,
    () => false,
  );
  if (!isOurs) return;
  await rm(join(folder, 'dev', name), { force: true });
  await run('losetup', ['-d', device]);
}

/** A LUN appears on a path; nothing happens when it is there. */
export async function attachPath(folder: string, path: ScsiPath): Promise<void> {
  const [known = ''] = path.links;
  if (await readlink(join(folder, 'dev/disk', known)).catch(() => undefined)) {
    // Two sessions of one portal have the same link.
    if (path.block === undefined || (await readdir(path.block).catch(() => [])).length > 0) return;
  }
  const taken = await readdir(join(folder, 'dev')).catch((): string[] => []);
  const name = [...'abcdefgh'].map((letter) => `sd${letter}`).find((one) => !taken.includes(one)) ?? '';
  await addDevice(folder, name, path.image);
  const device = join(folder, 'sys/block', name, 'device');
  await mkdir(device, { recursive: true });
  await writeFile(join(device, 'delete'), '');
  await writeFile(join(device, 'links'), path.links.join('\n'));
  if (path.block !== undefined) {
    await mkdir(join(path.block, name), { recursive: true });
    await symlink(path.block, join(device, 'block'));
  }
  if (path.isMultipath === true) await addToMultipath(folder, name, path.image);
  for (const link of path.links) {
    await mkdir(join(folder, 'dev/disk', link, '..'), { recursive: true });
    await rm(join(folder, 'dev/disk', link), { force: true });
    await symlink(`../../${name}`, join(folder, 'dev/disk', link));
  }
}

async function addToMultipath(folder: string, name: string, image: string): Promise<void> {
  const slaves = join(folder, 'sys/block/dm-0/slaves');
  if ((await readdir(slaves).catch(() => [])).length === 0) await addDevice(folder, 'dm-0', image);
  await mkdir(join(slaves, name), { recursive: true });
}

/** A device goes, with its links. */
export async function detachDevice(folder: string, name: string): Promise<void> {
  const block = join(folder, 'sys/block', name);
  const links = (await readFile(join(block, 'device/links'), 'utf8').catch(() => '')).split('\n');
  for (const link of links.filter(Boolean)) await rm(join(folder, 'dev/disk', link), { force: true });
  await rm(join(block, 'device/block', name), { recursive: true, force: true });
  await rm(block, { recursive: true, force: true });
  await dropDevice(folder, name);
}

/** The way of an iSCSI session to a LUN of its target; undefined when the target has no such LUN. */
export function iscsiPathOf(
  folder: string,
  session: { readonly id: number; readonly iqn: string; readonly portal: string },
  lun: string,
): ScsiPath | undefined {
  const targets: Record<string, ScsiTarget> = JSON.parse(readFileSync(join(folder, 'targets.json'), 'utf8'));
  const { id, iqn, portal } = session;
  const target = targets[iqn];
  const image = target?.luns[lun];
  if (image === undefined) return undefined;
  const device = join(folder, `sys/class/iscsi_host/host${id}/device/session${id}/target${id}:0:0`);
  return {
    image,
    links: [`by-path/ip-${portal}-iscsi-${iqn}-lun-${lun}`],
    block: join(device, `${id}:0:0:${lun}`, 'block'),
    isMultipath: target?.isMultipath,
  };
}

/** The kernel of such a machine: it looks for what was asked of it until it is disposed of, and leaves no loop device. */
export class ScsiMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** Disks that a scan of all hosts finds. */
  fibreChannel: ScsiPath[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => {
      if (this.#waiting === 0) void this.settle();
    }, 10);
  }

  /** Answers all that was written until now. */
  settle(): Promise<void> {
    this.#waiting++;
    this.#work = this.#work.then(() => this.#look()).finally(() => this.#waiting--);
    return this.#work;
  }

  /** A clock whose time passes as soon as somebody waits, but not before the machine has done its part. */
  clock(): Clock {
    let passedMs = 0;
    return {
      nowMs: () => passedMs,
      setTimer: (delayMs, callback) => {
        let isOn = true;
        void this.settle().then(() => {
          passedMs += delayMs;
          if (isOn) callback();
        });
        return () => {
          isOn = false;
        };
      },
    };
  }

  /** Stands for `multipath -f DEVICE`. */
  async flushMultipath(device: string): Promise<void> {
    const name = device.split('/').at(-1) ?? '';
    await dropDevice(this.#folder, name);
    await rm(join(this.#folder, 'sys/block', name), { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
    for (const name of await readdir(join(this.#folder, 'loops')).catch(() => [])) {
      await dropDevice(this.#folder, name);
    }
  }

  async #look(): Promise<void> {
    const hosts = join(this.#folder, 'sys/class/scsi_host');
    for (const host of namesIn(hosts)) {
      const request = await take(join(hosts, host, 'scan'));
      if (request === '- - -') for (const path of this.fibreChannel) await attachPath(this.#folder, path);
      else if (request !== '') await this.#scan(join(hosts, host), request.split(' ').at(-1) ?? '');
    }
    const blocks = join(this.#folder, 'sys/block');
    for (const name of namesIn(blocks)) {
      if ((await take(join(blocks, name, 'device/delete'))) === '1') await detachDevice(this.#folder, name);
    }
  }

  async #scan(host: string, lun: string): Promise<void> {
    const session = JSON.parse(await readFile(join(host, 'session'), 'utf8'));
    const path = iscsiPathOf(this.#folder, session, lun);
    if (path !== undefined) await attachPath(this.#folder, path);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing of the kind yet
  }
}

async function take(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text !== '') await truncate(file).catch(() => undefined); // it goes with its session
  return text.trim();
}
