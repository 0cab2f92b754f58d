import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileErrorText } from '../base/index.ts';
import { type ConfigOf, OptionsError } from '../config/index.ts';
import { CtlError } from './errors.ts';
import type { CtlIo } from './io.ts';
import type { loggingOptions } from './options/logging.ts';

/** Flags about lines of `-v`. */
export type LogFlags = ConfigOf<typeof loggingOptions> & { readonly verbosity: number };

/** The name that the part of the program has whose requests are logged, as `--vmodule` knows it. */
const requestModule = 'round_trippers';

/**
 * The level at which requests are logged: that of `-v`, or of the first pattern of `--vmodule` that fits.
 *
 * @throws OptionsError for a list that makes no sense
 */
export function requestVerbosity({ verbosity, vmodule, logBacktraceAt }: LogFlags, io: CtlIo): number {
  if (logBacktraceAt !== ':0' && !/^[^:]+\.go:[1-9]\d*$/.test(logBacktraceAt)) {
    throw new OptionsError(['--log-backtrace-at: expect file.go:234']);
  }
  if (logBacktraceAt !== ':0') io.stderr.write('Warning: --log-backtrace-at has no effect\n');
  if (!vmodule) return verbosity;
  const levels = vmodule.split(',').map((item) => {
    const match = /^([^=]+)=(\d+)$/.exec(item);
    if (match === null) throw new OptionsError(['--vmodule: expect comma-separated list of filename=N']);
    const [, pattern = '', level] = match;
    return { pattern: globToPattern(pattern), level: Number(level) };
  });
  return levels.find(({ pattern }) => pattern.test(requestModule))?.level ?? verbosity;
}

function globToPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`);
}

/** Writes lines where the flags say. @throws CtlError when a file cannot be written */
export function createLogLines(io: CtlIo, flags: LogFlags): (text: string) => void {
  const file = flags.logtostderr ? undefined : openFile(io, flags);
  const isShown = flags.logtostderr || flags.alsologtostderr || flags.stderrthreshold <= 0;
  return (text) => {
    const line = `${flags.skipHeaders ? '' : stamp(io.clock.nowMs())}${text}\n`;
    if (isShown) io.stderr.write(line);
    if (file !== undefined) writing(file, () => appendFileSync(file, line, { mode: 0o600 }));
  };
}

function openFile(io: CtlIo, { logFile, logDir, logFileMaxMegabytes }: LogFlags): string {
  if (logFile) {
    const bytes = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (logFileMaxMegabytes > 0 && bytes >= logFileMaxMegabytes * 1_048_576) {
      writing(logFile, () => writeFileSync(logFile, ''));
    }
    return logFile;
  }
  const time = new Date(io.clock.nowMs())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  const name = ['ctl', hostname(), userInfo().username, 'log', 'INFO', time, process.pid].join('.');
  return join(logDir || io.env.TMPDIR || tmpdir(), name);
}

function writing(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw new CtlError(`unable to write the log: ${fileErrorText(cause, path)}`, { cause });
  }
}

/** `I1121 10:00:00.123456    4711] `: severity, local time and process, as such logs start. */
function stamp(nowMs: number): string {
  const time = new Date(nowMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  const micros = String(time.getMilliseconds()).padStart(3, '0').padEnd(6, '0');
  return `I${day} ${clock}.${micros} ${String(process.pid).padStart(7)}] `;
}
