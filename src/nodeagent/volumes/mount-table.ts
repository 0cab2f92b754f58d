/** One mount of the process's namespace. */
export interface MountPoint {
  readonly path: string;
  /** Number of the device, as `major:minor`. */
  readonly device: string;
  /** Path within the file system that is seen at `path`. */
  readonly root: string;
  readonly fsType: string;
  /** Mounts below it are seen in other namespaces too. */
  readonly isShared: boolean;
}

/**
 * Reads `/proc/self/mountinfo` (proc(5)): mounts in the order in which they were made. Lines of another shape are left
 * out.
 */
export function parseMountTable(text: string): MountPoint[] {
  const points: MountPoint[] = [];
  for (const line of text.split('\n')) {
    const [ids, types] = line.split(' - ', 2);
    const [, , device, root, path, , ...tags] = ids?.split(' ') ?? [];
    const fsType = types?.split(' ', 1)[0];
    if (device === undefined || root === undefined || path === undefined || fsType === undefined) continue;
    const isShared = tags.some((tag) => tag.startsWith('shared:'));
    points.push({ path: unescapeOctal(path), device, root: unescapeOctal(root), fsType, isShared });
  }
  return points;
}

/** White space and backslashes are written as three octal digits. */
function unescapeOctal(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([0-7]{3})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Mounts at or below a folder, the deepest and newest first: the order in which they can be ended. */
export function mountsBelow(points: readonly MountPoint[], folder: string): MountPoint[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return points.filter(({ path }) => path === folder || path.startsWith(prefix)).reverse();
}

/** The newest of the mounts that a path lies on. */
export function mountOf(points: readonly MountPoint[], path: string): MountPoint | undefined {
  let found: MountPoint | undefined;
  for (const point of points) {
    const isAbove = point.path === '/' || path === point.path || path.startsWith(`${point.path}/`);
    if (isAbove && point.path.length >= (found?.path.length ?? 0)) found = point;
  }
  return found;
}
