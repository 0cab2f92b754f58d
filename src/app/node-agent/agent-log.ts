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
  | 'skipHeaders'
  | 'stderrThreshold'
  | 'verbosity'
>;

/** In the reference's numbers. */
const severities = { information: 0, error: 2 } as const;
/** Time and level of a line of text. */
const header = /^\S+ (\S+) /;

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
export function openAgentLog(
  options: LogOptions,
  program: string,
  toStderr: (line: string) => void = (line) => void process.stderr.write(line),
): AgentLog {
  const isText = options.loggingFormat !== 'json';
  const file = options.logToStderr || !isText ? undefined : openLogFile(options, program);
  const writeText = (line: string): void => {
    const text = options.skipHeaders ? line.replace(header, '') : line;
    file?.write(text);
    const isForBoth = options.alsoLogToStderr || severityOf(line) >= options.stderrThreshold;
    if (file === undefined || isForBoth) toStderr(text);
  };
  const write = isText ? writeText : toStderr;
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

function severityOf(line: string): number {
  const [, level] = header.exec(line) ?? [];
  return level === 'error' ? severities.error : severities.information;
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
