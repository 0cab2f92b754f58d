import type { RequestTrace } from '../client/rest/index.ts';
import type { CtlIo } from './io.ts';

/** Bodies are cut to this length at level 8. */
const shownBytes = 1024;

/** Writes requests to stderr as levels 6 to 9 of the client of release 1.20 do. */
export function createTrace(io: CtlIo, level: number): RequestTrace {
  const log = (text: string) => io.stderr.write(`${stamp(io.clock.nowMs())}] ${text}\n`);
  return {
    onRequest({ method, url, headers, body }) {
      if (level < 7) return;
      if (level >= 8 && body !== undefined) log(`Request Body: ${cut(body, level)}`);
      log(`${method} ${url}`);
      log('Request Headers:');
      for (const [name, value] of Object.entries(headers))
        log(`    ${headerName(name)}: ${[value].flat().join(', ')}`);
    },
    onResponse({ method, url, status, statusText, durationMs, headers, body }) {
      const spent = `in ${Math.round(durationMs)} milliseconds`;
      log(
        level < 7
          ? `${method} ${url} ${status} ${statusText} ${spent}`
          : `Response Status: ${status} ${statusText} ${spent}`,
      );
      if (level < 8) return;
      log('Response Headers:');
      for (const [name, value] of Object.entries(headers))
        log(`    ${headerName(name)}: ${[value].flat().join(', ')}`);
      if (body !== undefined) log(`Response Body: ${cut(body, level)}`);
    },
  };
}

function cut(body: Buffer, level: number): string {
  if (level >= 9 || body.length <= shownBytes) return body.toString('utf8');
  return `${body.toString('utf8', 0, shownBytes)} [truncated ${body.length - shownBytes} chars]`;
}

function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
}

/** `I1121 10:00:00.123456    4711`: severity, local time and process, as such logs start. */
function stamp(nowMs: number): string {
  const time = new Date(nowMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  const micros = String(time.getMilliseconds()).padStart(3, '0').padEnd(6, '0');
  return `I${day} ${clock}.${micros} ${String(process.pid).padStart(7)}`;
}
