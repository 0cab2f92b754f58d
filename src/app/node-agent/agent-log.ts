import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import { createLogger } from '../logging.ts';

type LogOptions = Pick<
  AgentConfig,
  | 'alsoLogToStderr'
  | 'logDir'
  | 'logFile'
  | 'logFileMaxSizeMegabytes'
  | 'loggingFormat'
  | 'logToStderr'
  | 'stderrThreshold'
  | 'verbosity'
>;

/** Severity from which on errors are, in the reference's numbers. */
const errorSeverity = 2;

/** The agent's log, and how to change how much it says. */
export interface AgentLog extends Disposable {
  readonly logger: Logger;
  setVerbosity(level: number): void;
}

/**
 * A logger that writes where the options say: to standard error, or to a file, with errors to both.
 *
 * @throws Error when the file cannot be opened
 */
export function openAgentLog(options: LogOptions, program: string): AgentLog {
  const toStderr = (line: string): void => void process.stderr.write(line);
  const isStderrOnly = options.logToStderr || options.loggingFormat === 'json';
  const file = isStderrOnly ? undefined : openLogFile(options, program);
  const write =
    file === undefined
      ? toStderr
      : (line: string): void => {
          file.write(line);
          const isError = options.stderrThreshold <= errorSeverity && / ERROR /i.test(line.slice(0, 64));
          if (options.alsoLogToStderr || isError) toStderr(line);
        };
  const make = (verbosity: number): Logger =>
    createLogger({ format: options.loggingFormat, verbosity, write });
  let current = make(options.verbosity);
  const forward = (choose: () => Logger): Logger => ({
    error: (message, fields) => choose().error(message, fields),
    info: (message, fields) => choose().info(message, fields),
    debug: (message, fields) => choose().debug(message, fields),
    child: (fields) => {
      let parent = choose();
      let own = parent.child(fields);
      return forward(() => {
        if (choose() !== parent) {
          parent = choose();
          own = parent.child(fields);
        }
        return own;
      });
    },
  });
  return {
    logger: forward(() => current),
    setVerbosity(level) {
      current = make(level);
    },
    [Symbol.dispose]: () => file?.close(),
  };
}

/** Begins anew, as the reference does, when the file has reached its size; 0 lets it grow. */
function openLogFile({ logFile, logDir, logFileMaxSizeMegabytes }: LogOptions, program: string) {
  const path = logFile === '' ? join(logDir === '' ? '/tmp' : logDir, `${program}.log`) : logFile;
  const maxBytes = logFileMaxSizeMegabytes * 1024 * 1024;
  mkdirSync(dirname(path), { recursive: true });
  let descriptor = openSync(path, 'a', 0o640);
  let size = fstatSync(descriptor).size;
  return {
    write(line: string): void {
      if (maxBytes > 0 && size + line.length > maxBytes) {
        closeSync(descriptor);
        descriptor = openSync(path, 'w', 0o640);
        size = 0;
      }
      size += writeSync(descriptor, line);
    },
    close: () => closeSync(descriptor),
  };
}
