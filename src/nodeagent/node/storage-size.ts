import { statfs } from 'node:fs/promises';

/** Bytes of the file system that a folder is on; 0 while the folder is not there. */
export async function storageSize(folder: string): Promise<number> {
  try {
    const { blocks, bsize } = await statfs(folder);
    return blocks * bsize;
  } catch {
    // The folder may be created later; the node then reports no storage.
    return 0;
  }
}
