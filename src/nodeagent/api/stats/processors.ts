import type { HostFiles } from './host-files.ts';

/** A logical processor and where it sits. */
export interface Processor {
  readonly id: number;
  readonly core: number;
  readonly socket: number;
}

/** Folder in which the kernel describes processors. */
export const cpuFolder = '/sys/devices/system/cpu';

/** Processors that are online, by number. */
export async function listProcessors(files: HostFiles): Promise<readonly Processor[]> {
  const names = (await files.names(cpuFolder)).filter((name) => /^cpu\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const [core, socket, isOnline] = await Promise.all([
        files.number(`${cpuFolder}/${name}/topology/core_id`),
        files.number(`${cpuFolder}/${name}/topology/physical_package_id`),
        files.number(`${cpuFolder}/${name}/online`),
      ]);
      const id = Number(name.slice(3));
      return isOnline === 0 ? undefined : { id, core: core ?? id, socket: Math.max(0, socket ?? 0) };
    }),
  );
  return found.filter((each) => each !== undefined).sort((a, b) => a.id - b.id);
}
