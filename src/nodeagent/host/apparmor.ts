import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a machine can do with AppArmor. */
export interface AppArmorHost {
  isEnabled(): Promise<boolean>;
  /** Names of the profiles that the kernel has. @throws Error when it does not tell */
  loadedProfiles(): Promise<ReadonlySet<string>>;
}

/** Reads what the kernel tells, anew with each call; another root is for tests. */
export function appArmorHost(root = '/'): AppArmorHost {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  return {
    async isEnabled() {
      const text = await read('sys/module/apparmor/parameters/enabled').catch(() => ''); // other kernels have no such file
      return text.startsWith('Y');
    },
    async loadedProfiles() {
      const folder = findSecurityFolder(await read('proc/self/mounts'));
      const text = await read(join(folder, 'apparmor', 'profiles'));
      // Lines such as `/usr/bin/man (enforce)`.
      const names = text
        .split('\n')
        .flatMap((line) => /^(?<name>.*?)\s*\([^()]*\)$/.exec(line)?.groups?.name ?? []);
      return new Set(names);
    },
  };
}

/** @throws Error when the kernel's folder of security modules is not mounted */
function findSecurityFolder(mounts: string): string {
  const fields = mounts.split('\n').map((line) => line.split(' '));
  const folder = fields.find(([, , type]) => type === 'securityfs')?.[1];
  if (folder === undefined) throw new Error('securityfs not found');
  return folder;
}
