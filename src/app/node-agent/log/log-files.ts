import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../base/index.ts';
import { LogFile, type LogFileOptions } from './log-file.ts';
import {
  type LogOwner,
  logFileHeader,
  logFileName,
  logLinkName,
  type SeverityName,
  severityNames,
} from './log-file-name.ts';

/** What files there are, and for whom. */
export interface LogFilesOptions {
  /** One file for all; empty for files by severity. */
  readonly logFile: string;
  /** Where files by severity are; empty for the system's temporary folder. */
  readonly logDir: string;
  /** 0 lets files grow. */
  readonly logFileMaxSizeMegabytes: number;
  /** Longest time that a line waits to be written; 0 or less for none. */
  readonly logFlushFrequencyMs: number;
  /** A line is written to the file of its own severity only, and not to those of lower ones. */
  readonly oneOutput: boolean;
  readonly skipLogHeaders: boolean;
  readonly program: string;
  readonly host: string;
  readonly user: string;
  readonly toStderr: (text: string) => void;
  readonly clock: Clock;
}

/** Files that are open for lines. */
export interface LogFiles {
  /** Writes a line of a severity by its number; errors at once, others within the longest time that they may wait. */
  write(severity: number, line: string): void;
  close(): void;
}

const errorSeverity = 2;

/**
 * Opens the log file, or the file of the lowest severity; files of others come with their first line. What waits is
 * written when the process ends, however it comes to its end, unless it is killed.
 *
 * @throws Error when the file cannot be opened
 */
export function openLogFiles(options: LogFilesOptions): LogFiles {
  const { logFlushFrequencyMs: waitMs, clock } = options;
  const isSingle = options.logFile !== '';
  const files = (isSingle ? ['INFO' as const] : severityNames).map(
    (severity) => new LogFile(isSingle ? singleFile(options) : severityFile(options, severity)),
  );
  files[0]?.open();
  let isClosed = false;
  let cancelTimer: (() => void) | undefined;
  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    // The highest severity first: should the machine go down, what matters most is written.
    for (const file of files.toReversed()) file.flush();
  };
  process.on('exit', flush);
  return {
    write(severity, line) {
      if (isClosed) return options.toStderr(line); // somebody had not ended yet
      const lowest = options.oneOutput ? severity : 0;
      const targets = isSingle ? files : files.slice(lowest, severity + 1);
      for (const file of targets) file.write(line);
      if (severity >= errorSeverity || waitMs <= 0) flush();
      else cancelTimer ??= clock.setTimer(waitMs, flush);
    },
    close() {
      isClosed = true;
      flush();
      process.off('exit', flush);
      for (const file of files) file.close();
    },
  };
}

function singleFile(options: LogFilesOptions): LogFileOptions {
  const { logFile } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  return { ...commonOptions(options), nextPath: () => logFile, followsLinks: true, onOpen() {} };
}

function severityFile(options: LogFilesOptions, severity: SeverityName): LogFileOptions {
  const { logDir, program, clock } = options;
  const folder = logDir === '' ? tmpdir() : logDir;
  mkdirSync(folder, { recursive: true });
  const owner = ownerOf(options);
  let stampMs = 0;
  return {
    ...commonOptions(options),
    nextPath() {
      // Names tell seconds apart: a file that is full before its second is over must not be taken for the next one.
      stampMs = Math.max(clock.nowMs(), stampMs + 1000);
      return join(folder, logFileName(owner, severity, stampMs));
    },
    followsLinks: false,
    onOpen: (path) => pointTo(path, join(folder, logLinkName(program, severity))),
    // Each line is in the lowest file as well: one notice is enough.
    onLoss: severity === 'INFO' || options.oneOutput ? reportLoss(options) : () => {},
  };
}

function commonOptions(options: LogFilesOptions) {
  const { logFileMaxSizeMegabytes, skipLogHeaders, clock } = options;
  const owner = ownerOf(options);
  return {
    maxBytes: logFileMaxSizeMegabytes * 1024 * 1024,
    header: () => (skipLogHeaders ? '' : logFileHeader(owner, clock.nowMs())),
    onLoss: reportLoss(options),
  };
}

const ownerOf = ({ program, host, user }: LogFilesOptions): LogOwner => ({
  program,
  host,
  user,
  pid: process.pid,
});

/** Lines that no file takes appear on standard error. */
function reportLoss({ toStderr }: LogFilesOptions): LogFileOptions['onLoss'] {
  return (text, reason) => {
    if (reason !== undefined)
      toStderr(`the log cannot be written: ${reason}; its lines follow here until it can\n`);
    toStderr(text);
  };
}

/** The link is a convenience: a log without it is complete. */
function pointTo(path: string, link: string): void {
  try {
    rmSync(link, { force: true });
    symlinkSync(basename(path), link);
  } catch {
    // as release 1.20: something else has this name
  }
}
