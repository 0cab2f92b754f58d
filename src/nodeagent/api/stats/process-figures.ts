import { readlink } from 'node:fs/promises';
import type { HostFiles } from './host-files.ts';

/** What the processes of a group have open. */
export interface ProcessFigures {
  readonly fileDescriptors: number;
  readonly sockets: number;
  /** Soft limit of the first process; -1 for none, undefined without a process. */
  readonly maxOpenFiles: number | undefined;
}

/** Processes, and files of each, that are counted at most: a scrape must stay cheap. */
const maxProcesses = 50;
const maxLinks = 256;

/** Counts open files and sockets of processes. */
export async function processFigures(files: HostFiles, ids: readonly string[]): Promise<ProcessFigures> {
  let fileDescriptors = 0;
  let sockets = 0;
  for (const id of ids.slice(0, maxProcesses)) {
    const folder = `/proc/${id}/fd`;
    const names = await files.names(folder);
    fileDescriptors += names.length;
    for (const name of names.slice(0, maxLinks)) {
      const target = await readlink(files.resolve(`${folder}/${name}`)).catch(() => '');
      if (target.startsWith('socket')) sockets++;
    }
  }
  const limits = ids[0] === undefined ? undefined : await files.text(`/proc/${ids[0]}/limits`);
  const soft = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  const maxOpenFiles = soft === undefined ? undefined : soft === 'unlimited' ? -1 : Number(soft);
  return { fileDescriptors, sockets, maxOpenFiles };
}
