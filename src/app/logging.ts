import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import type { LogFields, Logger } from '../base/index.ts';
import { textLogStream } from './text-log-stream.ts';

/** How a program logs. */
export interface LoggerOptions {
  readonly format: 'text' | 'json';
  /** The `-v` level: 3 and above write debug messages. */
  readonly verbosity: number;
  /** Where lines go; standard error by default. */
  readonly write?: (line: string) => void;
  /** Clock of the time stamps. */
  readonly nowMs?: () => number;
}

/** Fields whose values never reach a log, at the top and one level down. */
const secretFields = [
  'token',
  'password',
  'authorization',
  'cookie',
  'privateKey',
  'privateKeyPem',
  'clientKeyData',
  'data',
  'stringData',
].flatMap((name) => [name, `*.${name}`]);

/** The `-v` level from which debug messages are written. */
export const debugVerbosity = 3;

/** A logger on standard error: one JSON object or one line of text for each message, secrets left out by field name. */
export function createLogger({ format, verbosity, write, nowMs = Date.now }: LoggerOptions): Logger {
  const sink = { write: write ?? ((line: string) => void process.stderr.write(line)) };
  const destination = format === 'json' ? sink : textLogStream(sink.write);
  return adapt(
    pino(
      {
        level: verbosity >= debugVerbosity ? 'debug' : 'info',
        base: null,
        timestamp: () => `,"time":"${new Date(nowMs()).toISOString()}"`,
        formatters: { level: (level) => ({ level }) },
        messageKey: 'message',
        errorKey: 'error',
        serializers: { error: stdSerializers.err, cause: stdSerializers.err },
        redact: { paths: secretFields, censor: '[redacted]' },
      },
      destination,
    ),
  );
}

function adapt(logger: PinoLogger): Logger {
  return {
    error: (message, fields) => logger.error(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    child: (fields: LogFields) => adapt(logger.child(fields)),
  };
}
