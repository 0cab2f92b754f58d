/**
 * The agent's log: where its lines go (standard error, one file, or files by severity), what they say of the source that
 * wrote them, how much of which source is written, and what of them nobody may read. It does not format lines: that is
 * `src/app/logging.ts`. What only some options need is loaded with them.
 */

import { hostname, userInfo } from 'node:os';
import { type Clock, type Logger, systemClock } from '../../../base/index.ts';
import type { AgentConfig } from '../../../nodeagent/options/index.ts';
import { createLogger, debugVerbosity } from '../../logging.ts';

/** What of the configuration says how the agent logs. */
export type LogOptions = Pick<
  AgentConfig,
  | 'addDirHeader'
  | 'alsoLogToStderr'
  | 'experimentalLogSanitization'
  | 'logBacktraceAt'
  | 'logDir'
  | 'logFile'
  | 'logFileMaxSizeMegabytes'
  | 'logFlushFrequencyMs'
  | 'loggingFormat'
  | 'logToStderr'
  | 'oneOutput'
  | 'skipHeaders'
  | 'skipLogHeaders'
  | 'stderrThreshold'
  | 'verbosity'
  | 'vmodule'
>;

/** What surrounds a log; by default that of the process. */
export interface LogSurroundings {
  readonly toStderr?: (line: string) => void;
  readonly clock?: Clock;
  readonly host?: string;
  readonly user?: string;
}

/** The agent's log, and how to change how much it says. */
export interface AgentLog extends Disposable {
  readonly logger: Logger;
  setVerbosity(level: number): void;
}

/** In release 1.20's numbers. */
const severities = { information: 0, error: 2 } as const;
/** Time and level of a line of text. */
const header = /^\S+ (\S+) /;

/**
 * A logger that writes where the options say: to standard error, or to files, with errors to both.
 *
 * @throws Error when a file cannot be opened
 */
export async function openAgentLog(
  options: LogOptions,
  program: string,
  surroundings: LogSurroundings = {},
): Promise<AgentLog> {
  const { toStderr = (line) => void process.stderr.write(line), clock = systemClock } = surroundings;
  const isText = options.loggingFormat !== 'json';
  const trace = await openTrace(options, isText);
  const files =
    options.logToStderr || !isText
      ? undefined
      : await openFiles(options, program, { ...surroundings, toStderr, clock });
  const writeText = (line: string): void => {
    const severity = severityOf(line);
    const text = options.skipHeaders ? line.replace(header, '') : line;
    const whole = trace === undefined ? text : trace.complete(text);
    files?.write(severity, whole);
    if (files === undefined || options.alsoLogToStderr || severity >= options.stderrThreshold)
      toStderr(whole);
  };
  const write = isText ? writeText : toStderr;
  let { verbosity } = options;
  const make = (): Logger => {
    // Which details are written is then decided where they come from.
    const level = trace?.hasLevels ? debugVerbosity : verbosity;
    return createLogger({
      format: options.loggingFormat,
      verbosity: level,
      write,
      nowMs: () => clock.nowMs(),
    });
  };
  let current = make();
  const switchable = createSwitchableLogger(() => current);
  const hasDetails = (): boolean => verbosity >= debugVerbosity;
  const clean = options.experimentalLogSanitization
    ? await sanitize(switchable, () => hasDetails() || trace?.hasLevels === true)
    : switchable;
  return {
    logger: trace?.follow(clean, hasDetails) ?? clean,
    setVerbosity(level) {
      verbosity = level;
      current = make();
    },
    [Symbol.dispose]: () => files?.close(),
  };
}

/** A logger that hands over to the one that `choose` gives at each call; so do its children, whenever they were made. */
function createSwitchableLogger(choose: () => Logger): Logger {
  return {
    error: (message, fields) => choose().error(message, fields),
    info: (message, fields) => choose().info(message, fields),
    debug: (message, fields) => choose().debug(message, fields),
    child(fields) {
      let parent = choose();
      let own = parent.child(fields);
      return createSwitchableLogger(() => {
        if (choose() !== parent) {
          parent = choose();
          own = parent.child(fields);
        }
        return own;
      });
    },
  };
}

function severityOf(line: string): number {
  const [, level] = header.exec(line) ?? [];
  return level === 'error' ? severities.error : severities.information;
}

/** Lines of JSON name no sources; only how much is said of which source counts for them. */
async function openTrace(options: LogOptions, isText: boolean) {
  const { addDirHeader: hasFolders, logBacktraceAt, vmodule, skipHeaders } = options;
  const backtraceAt = isText && logBacktraceAt !== ':0' ? logBacktraceAt : '';
  const isUsed = vmodule !== '' || backtraceAt !== '' || (isText && hasFolders);
  if (!isUsed) return undefined;
  const { createCallTrace } = await import('./call-trace.ts');
  return createCallTrace({ vmodule, backtraceAt, hasFolders, hasPositions: isText && !skipHeaders });
}

async function openFiles(
  options: LogOptions,
  program: string,
  surroundings: LogSurroundings & Required<Pick<LogSurroundings, 'toStderr' | 'clock'>>,
) {
  const { openLogFiles } = await import('./log-files.ts');
  const { host = hostname(), user = ownUser() } = surroundings;
  return openLogFiles({ ...options, ...surroundings, program, host, user });
}

async function sanitize(logger: Logger, hasDetails: () => boolean): Promise<Logger> {
  const { createSanitizedLogger } = await import('./sanitized-logger.ts');
  return createSanitizedLogger(logger, hasDetails);
}

function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknownuser'; // a user id without a name
  }
}
