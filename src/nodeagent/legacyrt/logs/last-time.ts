import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readEngineLine, timeOfLine } from './convert-line.ts';

/** A longer line than any that the engine writes. */
const tailBytes = 128 * 1024;

/** Time of the last entry in a log or, where that is empty, in the ones that it was renamed to; empty when there is none. */
export async function lastTime(logPath: string): Promise<string> {
  const folder = dirname(logPath);
  const names = await readdir(folder).catch(() => []);
  const rotated = names.filter((name) => name.startsWith(`${basename(logPath)}.`) && !name.endsWith('.gz'));
  // Rotated logs are named by number or time: the newest is not known by name.
  const times = await Promise.all(rotated.map((name) => lastTimeOf(join(folder, name))));
  return [await lastTimeOf(logPath), ...times].sort().at(-1) ?? '';
}

async function lastTimeOf(path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    return timeOfLine(await lastLine(file));
  } catch {
    return '';
  }
}

/** End of the engine's file, if its last entry is not later than a time; 0 when newer entries may exist. */
export async function endOfKnown(file: FileHandle, since: string): Promise<number> {
  const { size } = await file.stat();
  const entry = readEngineLine(await lastLine(file, size));
  return entry !== undefined && entry.time <= since ? size : 0;
}

/** The last complete line, or the end of it where it is longer than the part that is read. */
async function lastLine(file: FileHandle, end?: number): Promise<string> {
  const size = end ?? (await file.stat()).size;
  const length = Math.min(size, tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.subarray(0, bytesRead).toString('utf8');
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
}
