import { open } from 'node:fs/promises';
import type { Dialect } from '../../machinery/dialect.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import type { ContainerStatus } from '../runtime/index.ts';

/** Most bytes of the file that a container writes its last words to (the bound of release 1.20). */
const fileMaxBytes = 4096;
/** Most bytes and lines of its log that stand for a file that it left empty. */
const logMaxBytes = 2048;
const logMaxLines = 80;
/** Time and stream lead each line of a log file. */
const lineOverheadBytes = 64;

/**
 * What an ended container says of its end: the file of its termination message, or the end of its log when its policy
 * falls back to that and it failed. Empty when there is nothing, or it cannot be read.
 */
export async function readTerminationMessage(status: ContainerStatus, dialect: Dialect): Promise<string> {
  const names = runtimeLabelNames(dialect);
  const path = status.annotations[names.terminationMessagePath] ?? '';
  if (path !== '') {
    const mount = status.mounts.find(({ containerPath }) => containerPath === path);
    const bytes = mount === undefined ? undefined : await readEnd(mount.hostPath, fileMaxBytes);
    if (bytes !== undefined && bytes.length > 0) return bytes.toString('utf8');
  }
  const policy = status.annotations[names.terminationMessagePolicy];
  const hasFailed = status.exitCode !== 0 || status.reason === 'OOMKilled';
  if (policy !== 'FallbackToLogsOnError' || !hasFailed || status.logPath === '') return '';
  const log = await readEnd(status.logPath, logMaxBytes + logMaxLines * lineOverheadBytes);
  return log === undefined ? '' : tailOf(log.toString('utf8'), { lines: logMaxLines, bytes: logMaxBytes });
}

/** The last bytes of a file; undefined when it cannot be read. Containers own it, so it is read with a bound. */
async function readEnd(path: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, 'r');
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const start = Math.max(0, stat.size - maxBytes);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(stat.size, maxBytes)),
      0,
      Math.min(stat.size, maxBytes),
      start,
    );
    return buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  }
}

/** A line of a log file of the runtime: time, stream, whether the line ends here, and the text. */
const logLine = /^\S+ (?:stdout|stderr) ([FP])(?::\S*)? (.*)$/;

/** The end of a log as the container wrote it, within bounds of lines and bytes. Cut lines and others are left out. */
export function tailOf(
  log: string,
  { lines, bytes }: { readonly lines: number; readonly bytes: number },
): string {
  const texts: string[] = [];
  for (const line of log.split('\n')) {
    const match = logLine.exec(line);
    if (match !== null) texts.push(match[1] === 'F' ? `${match[2]}\n` : (match[2] ?? ''));
  }
  const text = Buffer.from(texts.slice(-lines).join(''));
  return text.subarray(Math.max(0, text.length - bytes)).toString('utf8');
}
