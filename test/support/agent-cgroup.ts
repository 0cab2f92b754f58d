import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';

/** Makes the group that an agent's own lie in, in whichever hierarchies there are. */
export async function makeAgentCgroup(name: string): Promise<void> {
  const isUnified = existsSync(join(root, 'cgroup.controllers'));
  for (const hierarchy of isUnified ? [''] : await readdir(root)) {
    const folder = join(root, hierarchy);
    if (existsSync(join(folder, 'cgroup.procs'))) await mkdir(join(folder, name), { recursive: true });
  }
}
