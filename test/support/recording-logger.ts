import type { LogFields, Logger } from '../../src/base/index.ts';

/** One line of a log. */
export interface LogLine {
  readonly level: 'error' | 'info' | 'debug';
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines, so that a test can look at them. */
export interface RecordingLogger extends Logger {
  readonly lines: LogLine[];
}

/** A logger without lines. */
export function createRecordingLogger(lines: LogLine[] = [], base: LogFields = {}): RecordingLogger {
  const record = (level: LogLine['level']) => (message: string, fields?: LogFields) =>
    void lines.push({ level, message, fields: { ...base, ...fields } });
  return {
    lines,
    error: record('error'),
    info: record('info'),
    debug() {}, // one line for each request would fill memory in long tests
    child: (fields) => createRecordingLogger(lines, { ...base, ...fields }),
  };
}
