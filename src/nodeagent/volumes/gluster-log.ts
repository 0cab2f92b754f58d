import { type FileHandle, open } from 'node:fs/promises';

/** Bytes at the log's end that are looked at: two lines are shorter. */
const maxBytes = 8192;

/**
 * The last two lines of the log in which the GlusterFS client says why a mount failed, or, in release 1.20's words, that
 * there is none; empty when nothing was logged. Never fails: it is part of another error's text.
 */
export async function readGlusterLog(path: string | undefined, podName: string): Promise<string> {
  if (path === undefined) return `log file does not exist for pod ${podName}`;
  try {
    await using file = await open(path, 'r');
    const lines = (await readEnd(file)).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines
      .slice(-2)
      .map((line) => `\n${line}`)
      .join('')
      .concat(lines.length === 0 ? '' : '\n');
  } catch {
    return `could not open log file for pod ${podName}`;
  }
}

async function readEnd(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const position = Math.max(0, size - maxBytes);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxBytes), position });
  return buffer.toString('utf8', 0, bytesRead);
}
