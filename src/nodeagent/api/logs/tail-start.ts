import type { FileHandle } from 'node:fs/promises';

const blockBytes = 16 * 1024;
const newline = 0x0a;

/** Where the last `lines` lines of a file begin, in bytes; a last line without its end counts as none. */
export async function findTailStart(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat();
  if (lines <= 0) return size;
  const block = Buffer.alloc(Math.min(blockBytes, size));
  let found = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const text = block.subarray(0, bytesRead);
    for (
      let at = text.lastIndexOf(newline);
      at >= 0;
      at = at === 0 ? -1 : text.lastIndexOf(newline, at - 1)
    ) {
      if (++found > lines) return start + at + 1;
    }
    end = start;
  }
  return 0;
}
