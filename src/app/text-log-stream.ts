import { asJsonObject } from '../base/index.ts';

/** Turns the logger's JSON lines into text: `10:04:40.123 info message key=value`, one line each. */
export function textLogStream(write: (line: string) => void): { write(line: string): void } {
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
