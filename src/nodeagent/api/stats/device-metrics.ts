import { type FileSystemState, fileSystemState } from './file-system.ts';
import type { HostFiles } from './host-files.ts';
import type { ContainerMetricName, Labels, MetricFamilies } from './metric-families.ts';
import type { StatsSources } from './stats-sources.ts';

/** A file system on a device. */
export interface MountedDevice {
  readonly device: string;
  readonly mountpoint: string;
  readonly type: string;
  readonly state: FileSystemState | undefined;
}

const sectorMs = 1000;
const realTypes: ReadonlySet<string> = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'tmpfs',
  'overlay',
]);
/** Columns of `/proc/diskstats` behind the name (Linux documentation, admin-guide/iostats), and their scale. */
const columns: readonly (readonly [ContainerMetricName, scale: number])[] = [
  ['container_fs_reads_total', 1],
  ['container_fs_reads_merged_total', 1],
  ['container_fs_sector_reads_total', 1],
  ['container_fs_read_seconds_total', 1 / sectorMs],
  ['container_fs_writes_total', 1],
  ['container_fs_writes_merged_total', 1],
  ['container_fs_sector_writes_total', 1],
  ['container_fs_write_seconds_total', 1 / sectorMs],
  ['container_fs_io_current', 1],
  ['container_fs_io_time_seconds_total', 1 / sectorMs],
  ['container_fs_io_time_weighted_seconds_total', 1 / sectorMs],
];

/** File systems of the node, the first mount of each device, with its room as far as that can be told. */
export async function mountedDevices(files: HostFiles): Promise<readonly MountedDevice[]> {
  const found = new Map<string, Omit<MountedDevice, 'state'>>();
  for (const line of (await files.text('/proc/mounts'))?.split('\n') ?? []) {
    const [source = '', mountpoint = '', type = ''] = line.split(' ');
    const isOwn = source.startsWith('/dev/') || (type === 'tmpfs' && /^\/(?:dev\/shm|run)$/.test(mountpoint));
    if (!realTypes.has(type) || !isOwn) continue;
    const device = type === 'tmpfs' ? mountpoint : source;
    if (!found.has(device)) found.set(device, { device, mountpoint, type });
  }
  return Promise.all(
    Array.from(found.values(), async (mounted) => ({
      ...mounted,
      state: await fileSystemState(files.resolve(mounted.mountpoint)),
    })),
  );
}

/** Room and traffic of the node's file systems. */
export async function addDevices(
  { files, clock }: StatsSources,
  families: MetricFamilies,
  none: Labels,
): Promise<void> {
  const traffic = await diskTraffic(files);
  const atMs = clock.nowMs();
  for (const { device, state } of await mountedDevices(files)) {
    if (state === undefined) continue;
    const labels = { ...none, id: '/', device };
    families.add('container_fs_inodes_free', labels, state.inodesFree, atMs);
    families.add('container_fs_inodes_total', labels, state.inodes, atMs);
    families.add('container_fs_limit_bytes', labels, state.capacityBytes, atMs);
    families.add('container_fs_usage_bytes', labels, state.usedBytes, atMs);
    const values = traffic.get(device.replace(/^\/dev\//, '')) ?? [];
    for (const [index, [name, scale]] of columns.entries()) {
      families.add(name, labels, (values[index] ?? 0) * scale, atMs);
    }
  }
}

async function diskTraffic(files: HostFiles): Promise<ReadonlyMap<string, readonly number[]>> {
  const lines = (await files.text('/proc/diskstats'))?.split('\n') ?? [];
  return new Map(
    lines.map((line) => {
      const [, , name = '', ...values] = line.trim().split(/\s+/);
      return [name, values.map(Number)] as const;
    }),
  );
}
