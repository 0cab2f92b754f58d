import { type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import { asJsonObject, type LogFields, type Logger } from '../base/index.ts';

/** How a program logs. */
interface LoggerOptions {
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

/** Turns the logger's JSON lines into text: `10:04:40.123 info message key=value`, one line each. */
function textLogStream(write: (line: string) => void): { write(line: string): void } {
  return {
    write(line) {
      // The logger in front of this stream writes one JSON object with these fields per call.
      const { time, level, message, ...fields } = asJsonObject(JSON.parse(line));
      const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${showValue(value)}`);
      write(`${String(time).slice(11, 23)} ${level} ${showMessage(String(message))}${pairs.join('')}\n`);
    },
  };
}

/** Control characters would let a value forge lines or move the cursor of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
const control = /[\u0000-\u001f\u007f-\u009f]/;

function showMessage(message: string): string {
  return control.test(message) ? JSON.stringify(message) : message;
}

function showValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'stack' in value && 'message' in value) {
    return JSON.stringify(String(value.message));
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === '' || control.test(value) || /[\s"=]/.test(value) ? JSON.stringify(value) : value;
}
