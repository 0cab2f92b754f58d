import { join } from 'node:path';
import { readSystemFile } from '../node/index.ts';

/** Folder of control groups below the machine's root folder. */
const mount = 'sys/fs/cgroup';

/** Processes and threads of a control group and those in it; undefined when there is no such group. */
export async function readProcesses(root: string, group: string): Promise<number | undefined> {
  for (const folder of [join(mount, 'pids'), mount]) {
    const text = await readSystemFile(join(root, folder, group, 'pids.current'));
    if (text !== '') return Number(text);
  }
  return undefined;
}
