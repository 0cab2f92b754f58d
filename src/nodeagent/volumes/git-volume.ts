import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { GitRepoVolumeSource } from '../../apis/types/core-v1.ts';
import { podPluginDirectory, volumeDirectory } from '../container-config/index.ts';
import { exists, makeEmptyDir } from './empty-dir.ts';
import { MountStepError } from './mount-step-error.ts';
import { setOwnership } from './ownership.ts';
import { runGit } from './run-git.ts';
import { type FoundVolume, groupOf, type MadeVolume, type VolumeJob } from './volume-tools.ts';

/** An empty folder that the machine's `git` fills once, with a copy of a repository. Source: `git-clone(1)`. */
export function findGitVolume(job: VolumeJob, source: GitRepoVolumeSource): FoundVolume {
  const { name } = job.volume;
  return { name, plugin: job.tools.dialect.label('git-repo'), make: () => makeGitVolume(job, source) };
}

async function makeGitVolume(job: VolumeJob, source: GitRepoVolumeSource): Promise<MadeVolume> {
  checkSource(source);
  const { podDir, volume, tools } = job;
  const plugin = tools.dialect.label('git-repo');
  const folder = volumeDirectory(podDir, plugin, volume.name);
  const marks = posix.join(podPluginDirectory(podDir, plugin), volume.name);
  const mark = posix.join(marks, 'ready');
  if (!(await exists(mark))) {
    await fillFolder(job, source, folder);
    await mkdir(marks, { recursive: true, mode: 0o750 });
    await writeFile(mark, '');
  }
  return { path: folder, isReadOnly: false, needsSelinuxLabel: true };
}

/**
 * What is an argument of git must not be taken for an option, nor lead out of the volume. Files of the repository must not
 * be taken for a repository's own files either: those name programs to run.
 */
function checkSource({ repository, revision = '', directory = '' }: GitRepoVolumeSource): void {
  const refuse = (value: string, name: string): never => {
    const message = `${JSON.stringify(value)} is an invalid value for ${name}`;
    throw new MountStepError('MountVolume.NewMounter initialization', message);
  };
  for (const [name, value] of Object.entries({ repository, revision, directory })) {
    if (value.startsWith('-')) refuse(value, name);
  }
  const parts = directory.split('/');
  const isOutside = directory.startsWith('/') || parts.includes('..');
  if (isOutside || parts.some((part) => part.toLowerCase() === '.git')) refuse(directory, 'directory');
}

async function fillFolder(
  { pod, podDir, volume, tools }: VolumeJob,
  { repository, revision, directory }: GitRepoVolumeSource,
  folder: string,
): Promise<void> {
  const groupId = groupOf(pod);
  const marks = podPluginDirectory(podDir, tools.dialect.label('empty-dir'));
  const markFolder = posix.join(marks, `wrapped_${volume.name}`);
  await makeEmptyDir({ folder, markFolder, medium: '', pod, groupId, mount: tools.mount });
  // An attempt that failed, or was interrupted with the agent, may have left something.
  for (const name of await readdir(folder)) await rm(posix.join(folder, name), { recursive: true });
  const { environment } = tools;
  const clone = ['clone', '--', repository, ...(directory ? [directory] : [])];
  await runGit({ args: clone, folder, ceiling: folder, environment });
  if (!revision) return;
  const copy = await findCopy(folder, directory);
  for (const args of [
    ['checkout', revision],
    ['reset', '--hard'],
  ]) {
    await runGit({ args, folder: copy, ceiling: folder, environment });
  }
  // As in release 1.20 only here: what a clone alone makes has the group of its folder.
  if (groupId !== undefined) await setOwnership(folder, { groupId, isReadOnly: false });
}

/** Where the copy is: in the volume itself, or in the only folder there. */
async function findCopy(volume: string, directory = ''): Promise<string> {
  if (directory !== '' && posix.resolve('/', directory) === '/') return volume;
  const [first = '', ...others] = await readdir(volume);
  if (others.length > 0) throw new Error(`unexpected directory contents: [${[first, ...others].join(' ')}]`);
  return posix.join(volume, first);
}
