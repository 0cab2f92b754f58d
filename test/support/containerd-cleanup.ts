import { execFile } from 'node:child_process';
import { readdir, readFile, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cgroups = '/sys/fs/cgroup';

export interface Leftovers {
  /** The instance's folder, with a name that nothing else on the machine has. */
  readonly folder: string;
  readonly bridge: string;
  readonly cgroup: string;
  /** Socket that its shims are told to call; `c.sock` in its folder when left out. */
  readonly socket?: string;
}

/**
 * Removes what a killed containerd leaves behind: its shims with the containers below them, mounts below its folder
 * (network namespaces are among them), its bridge and its control groups.
 */
export async function removeLeftovers(leftovers: Leftovers): Promise<void> {
  const { folder, bridge, cgroup, socket = join(folder, 'c.sock') } = leftovers;
  const shims = await findProcesses((commandLine) => commandLine.includes(socket));
  const groups = await findGroups(cgroup);
  const members = (await Promise.all(groups.map(processesOf))).flat();
  for (const pid of [...shims, ...members]) endProcess(pid);
  await unmountBelow(folder);
  await run('ip', ['link', 'delete', bridge]).catch(() => undefined); // There is none before the first pod.
  for (const group of groups.reverse()) await removeGroup(group);
}

/** Processes by their command lines; never this one. */
async function findProcesses(isWanted: (commandLine: string) => boolean): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => isWanted(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))),
  );
  return pids.filter((_, index) => found[index]);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}

async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounts.reverse()) await run('umount', ['-l', path]).catch(() => undefined); // Gone with its parent.
}

/** Folders of the control group in every hierarchy, parents first. */
async function findGroups(cgroup: string): Promise<string[]> {
  const tops = [cgroups, ...(await readdir(cgroups)).map((name) => join(cgroups, name))];
  return (await Promise.all(tops.map((top) => foldersBelow(join(top, cgroup))))).flat();
}

async function foldersBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [];
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  return [path, ...(await Promise.all(folders.map(foldersBelow))).flat()];
}

async function processesOf(group: string): Promise<readonly number[]> {
  const text = await readFile(join(group, 'cgroup.procs'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);
}

/** A group is busy until the kernel has taken its last process away. */
async function removeGroup(group: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const code = await rmdir(group).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code !== 'EBUSY') return;
    await delay(20);
  }
}
