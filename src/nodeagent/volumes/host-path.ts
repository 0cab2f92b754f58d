import type { Stats } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import type { HostPathVolumeSource } from '../../apis/types/core-v1.ts';
import { isMissing } from './describe-error.ts';

type Check = (stats: Stats) => boolean;

/** Types of paths: the check, and the word that error messages use. */
const checks = new Map<string, { readonly isRight: Check; readonly noun: string }>([
  ['Directory', { isRight: (stats) => stats.isDirectory(), noun: 'a directory' }],
  ['File', { isRight: (stats) => stats.isFile(), noun: 'a file' }],
  ['Socket', { isRight: (stats) => stats.isSocket(), noun: 'a socket file' }],
  ['CharDevice', { isRight: (stats) => stats.isCharacterDevice(), noun: 'a character device' }],
  ['BlockDevice', { isRight: (stats) => stats.isBlockDevice(), noun: 'a block device' }],
]);

/** Makes and checks a path of the node as its type says. @throws Error with release 1.20's message. */
export async function checkHostPath({ path, type = '' }: HostPathVolumeSource): Promise<void> {
  if (path.split('/').includes('..')) {
    throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`);
  }
  if (type === '' || type === null) return;
  const isMade = type.endsWith('OrCreate');
  const check = checks.get(isMade ? type.slice(0, -'OrCreate'.length) : type);
  if (check === undefined || (isMade && type !== 'DirectoryOrCreate' && type !== 'FileOrCreate')) {
    throw new Error(`${type} is an invalid volume type`);
  }
  const stats = await find(path);
  if (stats === undefined && isMade) return make(path, type);
  if (stats === undefined || !check.isRight(stats)) {
    throw new Error(`hostPath type check failed: ${path} is not ${check.noun}`);
  }
}

async function find(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function make(path: string, type: string): Promise<void> {
  if (type === 'DirectoryOrCreate') {
    await mkdir(path, { recursive: true, mode: 0o755 });
    return;
  }
  const file = await open(path, 'a', 0o644);
  await file.close();
}
