import { quoteGo } from '../../machinery/errors/index.ts';
import type { RunProgram } from '../host/index.ts';
import { describeError } from './describe-error.ts';
import type { MountCommands } from './mount-commands.ts';

/** The block device that gets a file system and is mounted. */
export interface FormatOptions {
  readonly device: string;
  readonly target: string;
  /** Empty: ext4. */
  readonly fsType: string;
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  readonly mount: MountCommands;
  readonly run: RunProgram;
}

/** Large disks take long, and a format that is cut off leaves neither file system nor emptiness. */
const timeoutMs = 1_800_000;
/** blkid(8): nothing was found on the device. */
const nothingFound = 2;
/** fsck(8): errors are left. */
const fsckUncorrected = 4;

/**
 * Mounts a device, which is checked before; one without any file system, and only that, gets one. As in release 1.20.
 *
 * @throws Error with release 1.20's message
 */
export async function formatAndMount(options: FormatOptions): Promise<void> {
  const { device, target, isReadOnly, mountOptions, mount, run } = options;
  const fsType = options.fsType || 'ext4';
  const found = await readFormat(device, run);
  if (found === '') {
    if (isReadOnly) {
      const what = `cannot mount unformatted disk ${device} as we are manipulating it in read-only mode`;
      throw new Error(what);
    }
    await format(device, fsType, { ...options, run });
  } else if (!isReadOnly) {
    await check(device, run);
  }
  try {
    const all = [...mountOptions, ...(isReadOnly ? ['ro'] : []), 'defaults'];
    await mount.mount({ source: device, target, fsType, options: all });
  } catch (cause) {
    if (found === '' || found === fsType) throw cause;
    const what = `failed to mount the volume as ${quoteGo(fsType)}, it already contains ${found}`;
    throw new Error(`${what}. Mount error: ${describeError(cause)}`, { cause });
  }
}

/** File system of a device; empty for none. @throws Error when the device cannot be looked at */
export async function readFormat(device: string, run: RunProgram): Promise<string> {
  const { code, output } = await run('blkid', ['-p', '-s', 'TYPE', '-s', 'PTTYPE', '-o', 'export', device]);
  if (code === nothingFound) return '';
  if (code !== 0) throw new Error(`failed to get format of device ${quoteGo(device)}: ${output}`);
  const fields = new Map(output.split('\n').map((line) => [line.split('=', 1)[0], line.split('=')[1] ?? '']));
  const [type = '', partitions = ''] = [fields.get('TYPE'), fields.get('PTTYPE')];
  return partitions === '' ? type : 'unknown data, probably partitions';
}

async function check(device: string, run: RunProgram): Promise<void> {
  const { code, output } = await run('fsck', ['-a', device], timeoutMs);
  // Other ends, such as a program that is missing, are left to the mount.
  if (code === fsckUncorrected) {
    throw new Error(`'fsck' found errors on device ${device} but could not correct them: ${output}`);
  }
}

async function format(
  device: string,
  fsType: string,
  { target, mountOptions, run }: FormatOptions,
): Promise<void> {
  // The type becomes the name of a program.
  if (!/^[a-z][a-z0-9]{1,15}$/.test(fsType)) throw new Error(`invalid file system type ${quoteGo(fsType)}`);
  const isExt = ['ext3', 'ext4'].includes(fsType);
  const { code, output } = await run(`mkfs.${fsType}`, isExt ? ['-F', '-m0', device] : [device], timeoutMs);
  if (code === 0) return;
  const where = `type:(${quoteGo(fsType)}) target:(${quoteGo(target)}) options:(${quoteGo(mountOptions.join(','))})`;
  const why = code === undefined ? output : `exit status ${code}: ${output}`;
  throw new Error(`format of disk ${quoteGo(device)} failed: ${where} error:(${why})`);
}

/** Programs that let file systems fill their devices, by what blkid(8) calls these. */
const growers: Readonly<Record<string, (device: string, target: string) => readonly [string, ...string[]]>> =
  {
    ext3: (device) => ['resize2fs', device],
    ext4: (device) => ['resize2fs', device],
    xfs: (_device, target) => ['xfs_growfs', '-d', target],
  };

/** Lets a file system that is mounted fill its device, which may have grown. @throws Error with release 1.20's message */
export async function growFileSystem(device: string, target: string, run: RunProgram): Promise<void> {
  const format = await readFormat(device, run);
  const command = Object.hasOwn(growers, format) ? growers[format]?.(device, target) : undefined;
  if (command === undefined) {
    const what = `resize of format ${format} is not supported for device ${device} mounted at ${target}`;
    throw new Error(`ResizeFS.Resize - ${what}`);
  }
  const [program, ...args] = command;
  const { code, output } = await run(program, args, timeoutMs);
  if (code === 0) return;
  const why = code === undefined ? output : `exit status ${code}. ${program} output: ${output}`;
  throw new Error(`resize of device ${device} failed: ${why}`);
}
