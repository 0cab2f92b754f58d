import { mountedDevices } from './device-metrics.ts';
import type { HostFiles } from './host-files.ts';
import { cpuFolder, listProcessors } from './processors.ts';
import type { StatsSources } from './stats-sources.ts';
import { listHugepages, listTopology } from './topology.ts';

/** What identifies a machine, and its sizes. */
export interface MachineSummary {
  readonly processors: number;
  readonly cores: number;
  readonly sockets: number;
  readonly frequencyKhz: number;
  readonly memoryBytes: number;
  readonly machineId: string;
  readonly systemUuid: string;
  readonly bootId: string;
  readonly kernelVersion: string;
  readonly osVersion: string;
}

const kibibyte = 1024;

/** Reads what identifies the machine; what it does not tell is empty or 0. */
export async function machineSummary(files: HostFiles): Promise<MachineSummary> {
  const [processors, frequencyKhz, memory, machineId, systemUuid, bootId, kernel, release] =
    await Promise.all([
      listProcessors(files),
      readFrequencyKhz(files),
      files.pairs('/proc/meminfo'),
      files.text('/etc/machine-id'),
      files.text('/sys/class/dmi/id/product_uuid'),
      files.text('/proc/sys/kernel/random/boot_id'),
      files.text('/proc/sys/kernel/osrelease'),
      files.text('/etc/os-release'),
    ]);
  return {
    processors: processors.length,
    cores: new Set(processors.map(({ socket, core }) => `${socket}/${core}`)).size,
    sockets: new Set(processors.map(({ socket }) => socket)).size,
    frequencyKhz,
    memoryBytes: (memory.get('MemTotal') ?? 0) * kibibyte,
    machineId: machineId ?? '',
    systemUuid: systemUuid ?? machineId ?? '',
    bootId: bootId ?? '',
    kernelVersion: kernel ?? '',
    osVersion: /^PRETTY_NAME="?([^"\n]*)/m.exec(release ?? '')?.[1] ?? '',
  };
}

/** The machine as `/spec/` shows it. */
export async function machineSpec({ files, clock }: StatsSources): Promise<unknown> {
  const [machine, hugepages, filesystems, disks, devices, topology] = await Promise.all([
    machineSummary(files),
    listHugepages(files, '/sys/kernel/mm/hugepages'),
    listFilesystems(files),
    listDisks(files),
    listNetworkDevices(files),
    listTopology(files),
  ]);
  return {
    timestamp: new Date(clock.nowMs()).toISOString(),
    num_cores: machine.processors,
    num_physical_cores: machine.cores,
    num_sockets: machine.sockets,
    cpu_frequency_khz: machine.frequencyKhz,
    memory_capacity: machine.memoryBytes,
    memory_by_type: {},
    nvm: { memory_mode_capacity: 0, 'app direct_mode_capacity': 0, avg_power_budget: 0 },
    hugepages,
    machine_id: machine.machineId,
    system_uuid: machine.systemUuid,
    boot_id: machine.bootId,
    filesystems,
    disk_map: disks,
    network_devices: devices,
    topology,
    cloud_provider: 'Unknown',
    instance_type: 'Unknown',
    instance_id: 'None',
  };
}

async function readFrequencyKhz(files: HostFiles): Promise<number> {
  const max = await files.number(`${cpuFolder}/cpu0/cpufreq/cpuinfo_max_freq`);
  if (max !== undefined) return max;
  const info = await files.text('/proc/cpuinfo');
  return Math.round(Number(/^(?:cpu MHz|clock)\s*:\s*([\d.]+)/m.exec(info ?? '')?.[1] ?? 0) * 1000);
}

async function listFilesystems(files: HostFiles) {
  const devices = await mountedDevices(files);
  return devices.map(({ device, state }) => ({
    device,
    capacity: state?.capacityBytes ?? 0,
    type: 'vfs',
    inodes: state?.inodes ?? 0,
    has_inodes: (state?.inodes ?? 0) > 0,
  }));
}

async function listDisks(files: HostFiles) {
  const folder = '/sys/block';
  const names = (await files.names(folder)).filter((name) => !/^(?:loop|ram|sr)/.test(name));
  const disks = await Promise.all(
    names.map(async (name) => {
      const [numbers, sectors, scheduler] = await Promise.all([
        files.text(`${folder}/${name}/dev`),
        files.number(`${folder}/${name}/size`),
        files.text(`${folder}/${name}/queue/scheduler`),
      ]);
      const [major = 0, minor = 0] = (numbers ?? '').split(':').map(Number);
      const active = /\[([^\]]+)\]/.exec(scheduler ?? '')?.[1] ?? 'none';
      return [
        numbers ?? name,
        { name, major, minor, size: (sectors ?? 0) * 512, scheduler: active },
      ] as const;
    }),
  );
  return Object.fromEntries(disks);
}

async function listNetworkDevices(files: HostFiles) {
  const folder = '/sys/class/net';
  const names = (await files.names(folder)).filter(
    (name) => !/^(?:lo$|veth|docker|bonding_masters)/.test(name),
  );
  return Promise.all(
    names.map(async (name) => {
      const [address, speed, mtu] = await Promise.all([
        files.text(`${folder}/${name}/address`),
        files.number(`${folder}/${name}/speed`),
        files.number(`${folder}/${name}/mtu`),
      ]);
      return { name, mac_address: address ?? '', speed: Math.max(0, speed ?? 0), mtu: mtu ?? 0 };
    }),
  );
}
