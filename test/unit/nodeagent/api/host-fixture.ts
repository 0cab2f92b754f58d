import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files of a machine below a folder, by path; contents get an end of line. */
export async function writeHostFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${text}\n`);
  }
}

/** A control group of version 1 with a bound of 1000 bytes. */
export const splitGroup = (path: string): Record<string, string> => ({
  [`/sys/fs/cgroup/cpuacct${path}/cpuacct.usage`]: '5000000000',
  [`/sys/fs/cgroup/cpuacct${path}/cpuacct.stat`]: 'user 300\nsystem 200',
  [`/sys/fs/cgroup/cpu${path}/cpu.shares`]: '512',
  [`/sys/fs/cgroup/cpu${path}/cpu.cfs_period_us`]: '100000',
  [`/sys/fs/cgroup/pids${path}/pids.current`]: '7',
  [`/sys/fs/cgroup/pids${path}/pids.max`]: 'max',
  [`/sys/fs/cgroup/memory${path}/memory.usage_in_bytes`]: '900',
  [`/sys/fs/cgroup/memory${path}/memory.limit_in_bytes`]: '1000',
  [`/sys/fs/cgroup/memory${path}/memory.memsw.limit_in_bytes`]: '9223372036854771712',
  [`/sys/fs/cgroup/memory${path}/memory.stat`]:
    'cache 1\nrss 2\npgfault 3\npgmajfault 4\ntotal_cache 100\ntotal_rss 200\ntotal_swap 5\ntotal_mapped_file 6\ntotal_pgfault 30\ntotal_pgmajfault 40\ntotal_inactive_file 50',
  [`/sys/fs/cgroup/memory${path}/cgroup.procs`]: '11\n12',
});

/** The same of version 2. */
export const unifiedGroup = (path: string): Record<string, string> => ({
  [`/sys/fs/cgroup${path}/cpu.stat`]: 'usage_usec 5000000\nuser_usec 3000000\nsystem_usec 2000000',
  [`/sys/fs/cgroup${path}/cpu.weight`]: '20',
  [`/sys/fs/cgroup${path}/cpu.max`]: 'max 100000',
  [`/sys/fs/cgroup${path}/pids.current`]: '7',
  [`/sys/fs/cgroup${path}/pids.max`]: 'max',
  [`/sys/fs/cgroup${path}/memory.current`]: '900',
  [`/sys/fs/cgroup${path}/memory.max`]: '1000',
  [`/sys/fs/cgroup${path}/memory.swap.max`]: 'max',
  [`/sys/fs/cgroup${path}/memory.swap.current`]: '5',
  [`/sys/fs/cgroup${path}/memory.stat`]:
    'anon 200\nfile 100\nfile_mapped 6\npgfault 30\npgmajfault 40\ninactive_file 50',
  [`/sys/fs/cgroup${path}/cgroup.procs`]: '11\n12',
});

/** Facts of a machine with two processors. */
export const machineFiles: Readonly<Record<string, string>> = {
  '/proc/meminfo': 'MemTotal:       2048 kB\nMemFree:        1024 kB',
  '/proc/loadavg': '0.10 0.20 0.30 2/345 6789',
  '/proc/sys/kernel/pid_max': '32768',
  '/proc/sys/kernel/osrelease': '5.10.0',
  '/proc/sys/kernel/random/boot_id': 'boot-1',
  '/proc/mounts': '/dev/vda / ext4 rw 0 0\nproc /proc proc rw 0 0\n/dev/vda /mnt ext4 rw 0 0',
  '/proc/diskstats': ' 254       0 vda 10 1 20 3000 30 2 40 5000 6 7000 8000',
  '/proc/cpuinfo': 'processor : 0\ncpu MHz\t\t: 2500.123',
  '/proc/net/dev': [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo:     1       2    3    4    0     0          0         0        5       6    7    8    0     0       0          0',
    '  ens3:    10      20   30   40    0     0          0         0       50      60   70   80    0     0       0          0',
    'veth12:     1       2    3    4    0     0          0         0        5       6    7    8    0     0       0          0',
  ].join('\n'),
  '/proc/net/route': 'Iface\tDestination\tGateway\nens3\t00000000\t0100000A\nens3\t0000000A\t00000000',
  '/etc/machine-id': 'machine-1',
  '/etc/os-release': 'NAME=x\nPRETTY_NAME="Test OS 1"',
  '/sys/class/dmi/id/product_uuid': 'uuid-1',
  '/sys/class/net/ens3/address': '02:00:00:00:00:01',
  '/sys/class/net/ens3/speed': '-1',
  '/sys/class/net/ens3/mtu': '1500',
  '/sys/class/net/lo/mtu': '65536',
  '/sys/block/vda/dev': '254:0',
  '/sys/block/vda/size': '8',
  '/sys/block/vda/queue/scheduler': 'none [mq-deadline]',
  '/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages': '3',
  '/sys/devices/system/node/node0/meminfo': 'Node 0 MemTotal:       2048 kB',
  '/sys/devices/system/node/node0/cpu0/x': '',
  '/sys/devices/system/node/node0/cpu1/x': '',
  '/sys/devices/system/cpu/cpu0/topology/core_id': '0',
  '/sys/devices/system/cpu/cpu0/topology/physical_package_id': '0',
  '/sys/devices/system/cpu/cpu0/cache/index0/size': '32K',
  '/sys/devices/system/cpu/cpu0/cache/index0/type': 'Data',
  '/sys/devices/system/cpu/cpu0/cache/index0/level': '1',
  '/sys/devices/system/cpu/cpu0/cache/index3/size': '4096K',
  '/sys/devices/system/cpu/cpu0/cache/index3/type': 'Unified',
  '/sys/devices/system/cpu/cpu0/cache/index3/level': '3',
  '/sys/devices/system/cpu/cpu1/topology/core_id': '0',
  '/sys/devices/system/cpu/cpu1/topology/physical_package_id': '0',
};
