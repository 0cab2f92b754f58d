import type { RequestTrace } from '../client/rest/index.ts';

/** Bodies are cut to this length at level 8. */
const shownBytes = 1024;

/** Writes requests as levels 6 to 9 of the client of release 1.20 do. */
export function createTrace(log: (text: string) => void, level: number): RequestTrace {
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
