import type { QueryValue } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { podPath } from '../pods/first-pod.ts';
import type { LogSource } from './log-source.ts';

/** How logs are read and shown. */
export interface LogPrint {
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly hasPrefix: boolean;
  readonly signal: AbortSignal;
}

/** A line beyond this is shown in parts. */
const maxLineBytes = 1024 * 1024;
const newline = 0x0a;

/** Prints one log, line by line, until it ends. @throws as `RestClient.stream` */
export async function printLog(ctl: Ctl, source: LogSource, print: LogPrint): Promise<void> {
  const client = await ctl.client();
  const stream = await client.stream({
    method: 'GET',
    path: podPath(source.namespace, source.pod, 'log'),
    query: { container: source.container, ...print.query },
    accept: 'application/json, */*',
    signal: print.signal,
  });
  const prefix = print.hasPrefix
    ? Buffer.from(`[pod/${source.pod}/${source.container}] `, 'utf8')
    : undefined;
  try {
    for await (const lines of wholeLines(stream.chunks)) {
      ctl.io.stdout.write(prefix === undefined ? lines : withPrefixes(lines, prefix));
    }
  } finally {
    stream.close();
  }
}

/** Cuts a byte stream so that each part ends with a line; lines without end are cut where they are. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      yield pending.length === 0
        ? chunk.subarray(0, end)
        : Buffer.concat([...pending, chunk.subarray(0, end)]);
      pending = [];
      pendingBytes = 0;
    }
    if (end === chunk.length) continue;
    pending.push(chunk.subarray(end));
    pendingBytes += chunk.length - end;
    if (pendingBytes <= maxLineBytes) continue;
    yield Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
  }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}

function withPrefixes(lines: Buffer, prefix: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(newline, start) + 1 || lines.length;
    parts.push(prefix, lines.subarray(start, end));
    start = end;
  }
  return Buffer.concat(parts);
}
