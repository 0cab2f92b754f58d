import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the launchers of this installation, above the sources and above what is built from them. */
export function findLaunchers(folder = import.meta.dirname): string {
  const launchers = join(folder, 'bin');
  if (existsSync(join(launchers, 'launch.sh'))) return launchers;
  if (dirname(folder) === folder) throw new Error('the launchers of orch (bin/) are missing');
  return findLaunchers(dirname(folder));
}
