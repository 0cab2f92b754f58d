import { posix } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';

/**
 * Folders that a read-only volume needs so that containers can mount other volumes below it; relative paths.
 *
 * @throws Error for a mount path that leads out of a container.
 */
export function nestedMountPoints({ spec }: Pod, volumeName: string): string[] {
  const found = new Set<string>();
  for (const list of [spec.initContainers, spec.containers]) {
    for (const { volumeMounts } of list ?? []) {
      const mounts = (volumeMounts ?? []).map(({ name, mountPath }) => ({
        isOwn: name === volumeName,
        path: posix.normalize(mountPath).replace(/\/$/, ''),
      }));
      const paths = mounts.map(({ path }) => path).sort();
      for (const { isOwn, path } of mounts)
        if (isOwn) for (const below of outermost(path, paths)) found.add(below);
    }
  }
  return [...found];
}

/** Those of the sorted paths that lie below one, without those that lie below another of them. */
function* outermost(path: string, sorted: readonly string[]): Generator<string> {
  if (path.startsWith('../')) throw new Error(`Invalid container mount point ${path}`);
  const prefix = `${path}/`;
  let previous: string | undefined;
  for (const other of sorted) {
    if (!other.startsWith(prefix) || (previous !== undefined && other.startsWith(previous))) continue;
    previous = `${other}/`;
    yield other.slice(prefix.length);
  }
}
