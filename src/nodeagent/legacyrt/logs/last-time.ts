import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { timeOfLine } from './convert-line.ts';

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
    const { size } = await file.stat();
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.subarray(0, bytesRead).toString('latin1').trimEnd().split('\n');
    return timeOfLine(lines.at(-1) ?? '');
  } catch {
    return '';
  }
}
