import type { HostFiles } from './host-files.ts';
import { cpuFolder, listProcessors, type Processor } from './processors.ts';

const nodeFolder = '/sys/devices/system/node';
const kibibyte = 1024;

/** Memory nodes of the machine with their cores and caches; one for all where the kernel tells of none. */
export async function listTopology(files: HostFiles) {
  const processors = await listProcessors(files);
  const nodes = (await files.names(nodeFolder)).filter((name) => /^node\d+$/.test(name));
  return Promise.all(
    (nodes.length === 0 ? ['node0'] : nodes).map(async (name) => {
      const own = (await files.names(`${nodeFolder}/${name}`)).filter((entry) => /^cpu\d+$/.test(entry));
      const ids = new Set(own.map((entry) => Number(entry.slice(3))));
      const meminfo = await files.text(`${nodeFolder}/${name}/meminfo`);
      const kilobytes = /MemTotal:\s+(\d+)/.exec(meminfo ?? '')?.[1];
      const members = processors.filter(({ id }) => nodes.length === 0 || ids.has(id));
      return {
        node_id: Number(name.slice(4)),
        memory: Number(kilobytes ?? 0) * kibibyte,
        hugepages: await listHugepages(files, `${nodeFolder}/${name}/hugepages`),
        cores: await listCores(files, members),
        caches: await listCaches(files, members[0]?.id, (level) => level > 2),
      };
    }),
  );
}

/** Huge pages by size, from the kernel's folder. */
export async function listHugepages(files: HostFiles, folder: string) {
  const names = await files.names(folder);
  return Promise.all(
    names.map(async (name) => ({
      page_size: Number(/(\d+)kB$/.exec(name)?.[1] ?? 0),
      num_pages: (await files.number(`${folder}/${name}/nr_hugepages`)) ?? 0,
    })),
  );
}

async function listCores(files: HostFiles, processors: readonly Processor[]) {
  const byCore = Map.groupBy(processors, ({ socket, core }) => `${socket}/${core}`);
  return Promise.all(
    [...byCore.values()].map(async (threads) => ({
      core_id: threads[0]?.core ?? 0,
      thread_ids: threads.map(({ id }) => id),
      caches: await listCaches(files, threads[0]?.id, (level) => level <= 2),
      socket_id: threads[0]?.socket ?? 0,
    })),
  );
}

async function listCaches(
  files: HostFiles,
  processor: number | undefined,
  isWanted: (level: number) => boolean,
) {
  if (processor === undefined) return [];
  const folder = `${cpuFolder}/cpu${processor}/cache`;
  const names = (await files.names(folder)).filter((name) => /^index\d+$/.test(name));
  const caches = await Promise.all(
    names.map(async (name) => {
      const [size, type, level] = await Promise.all([
        files.text(`${folder}/${name}/size`),
        files.text(`${folder}/${name}/type`),
        files.number(`${folder}/${name}/level`),
      ]);
      return { size: Number.parseInt(size ?? '0', 10) * kibibyte, type: type ?? '', level: level ?? 0 };
    }),
  );
  return caches.filter(({ level }) => isWanted(level));
}
