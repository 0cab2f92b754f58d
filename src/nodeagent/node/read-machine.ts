import { readdir } from 'node:fs/promises';
import { arch, cpus, release } from 'node:os';
import { join } from 'node:path';
import { parseCpuSet } from '../options/index.ts';
import type { Machine } from './machine.ts';
import { readSystemFile } from './system-file.ts';

/** Where the facts are read from; another root is for tests. */
export interface ReadMachineOptions {
  /** `/` when left out. */
  readonly root?: string | undefined;
}

/** Reads what the machine is. What cannot be read is empty or 0. */
export async function readMachine({ root = '/' }: ReadMachineOptions = {}): Promise<Machine> {
  const read = (path: string): Promise<string> => readSystemFile(join(root, path));
  const [online, meminfo, release_, swaps, apparmor] = await Promise.all([
    read('sys/devices/system/cpu/online'),
    read('proc/meminfo'),
    read('etc/os-release'),
    read('proc/swaps'),
    read('sys/module/apparmor/parameters/enabled'),
  ]);
  const machineId = await readFirst(read, ['etc/machine-id', 'var/lib/dbus/machine-id']);
  return {
    cpuCount: countCpus(online),
    memoryBytes: readMeminfo(meminfo, 'MemTotal'),
    maxProcesses: Number(await read('proc/sys/kernel/pid_max')) || undefined,
    hugepageBytes: await readHugepages(join(root, 'sys/kernel/mm/hugepages')),
    machineId,
    systemUuid: (await readFirst(read, systemUuidFiles)) || machineId,
    bootId: await read('proc/sys/kernel/random/boot_id'),
    kernelVersion: (await read('proc/sys/kernel/osrelease')) || release(),
    osImage: prettyName(release_),
    architecture: architectures[arch()] ?? arch(),
    hasSwap: swaps.split('\n').length > 1,
    hasAppArmor: apparmor.startsWith('Y'),
  };
}

const systemUuidFiles = [
  'sys/class/dmi/id/product_uuid',
  'proc/device-tree/system-id',
  'proc/device-tree/vm,uuid',
  'etc/machine-id',
];

/** Architectures as the API names them (Go's `GOARCH`), where Node.js has another name. */
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  ia32: '386',
  ppc64: 'ppc64le',
  loong64: 'loong64',
};

async function readFirst(read: (path: string) => Promise<string>, paths: readonly string[]): Promise<string> {
  for (const path of paths) {
    const text = await read(path);
    if (text !== '') return text;
  }
  return '';
}

function countCpus(online: string): number {
  const parsed = parseCpuSet(online);
  return 'value' in parsed && parsed.value.length > 0 ? parsed.value.length : cpus().length;
}

/** Bytes of one line of `/proc/meminfo`; 0 when there is none. */
export function readMeminfo(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name}:`));
  const kibibytes = Number(
    line
      ?.slice(name.length + 1)
      .trim()
      .split(' ')[0],
  );
  return Number.isFinite(kibibytes) ? kibibytes * 1024 : 0;
}

function prettyName(osRelease: string): string {
  const line = osRelease.split('\n').find((one) => one.startsWith('PRETTY_NAME='));
  return line?.slice('PRETTY_NAME='.length).replace(/^(["'])(.*)\1$/, '$2') ?? 'Unknown';
}

/** Folders such as `hugepages-2048kB`, each with the number of pages that are set aside. */
async function readHugepages(folder: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const names = await readdir(folder).catch(() => []); // a kernel without huge pages has no folder
  for (const name of names.toSorted()) {
    const kibibytes = Number(/^hugepages-(\d+)kB$/.exec(name)?.[1]);
    if (!(kibibytes > 0)) continue;
    const pages = Number(await readSystemFile(join(folder, name, 'nr_hugepages')));
    found.set(formatPageSize(kibibytes), (Number.isFinite(pages) ? pages : 0) * kibibytes * 1024);
  }
  return found;
}

function formatPageSize(kibibytes: number): string {
  const units = ['Ki', 'Mi', 'Gi', 'Ti'];
  let [size, unit] = [kibibytes, 0];
  while (size >= 1024 && size % 1024 === 0 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size}${units[unit]}`;
}
