import { createReadStream, type Stats } from 'node:fs';
import { open, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathOnly } from '../../../base/index.ts';
import { escapeHtml, relativeUrl } from '../../../machinery/go-values/index.ts';
import type { AgentExchange, AgentHandler } from '../http/exchange.ts';
import { sendBody, sendLine, sendRedirect } from '../http/respond.ts';

const root = '/logs/';
const sniffedBytes = 512;

interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Sends files below the node's log folder, and lists of its folders. Links that lead out of it lead to nothing. */
export function handleLogFiles(directory: string): AgentHandler {
  return async (exchange) => {
    // The router has taken all `..` out of the path.
    await using opened = await openBelow(directory, exchange.path.slice(root.length));
    const found = opened?.stats;
    const isFolderPath = exchange.path.endsWith('/');
    if (opened !== undefined && found?.isDirectory()) {
      if (!isFolderPath)
        return sendRedirect(exchange, `${encodeURIComponent(exchange.path.split('/').at(-1) ?? '')}/`);
      return await listFolder(exchange, opened.link);
    }
    // Reading a pipe or device would wait, or never end.
    if (opened === undefined || !found?.isFile() || isFolderPath)
      return sendLine(exchange, 404, '404 page not found');
    return await sendFile(exchange, opened.link, found);
  };
}

async function listFolder(exchange: AgentExchange, path: string): Promise<void> {
  const entries = (await readdir(path, { withFileTypes: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    // A link is shown as a file, wherever it leads.
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  const lines = entries.map((name) => `<a href="${escapeHtml(relativeUrl(name))}">${escapeHtml(name)}</a>\n`);
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  sendBody(exchange, 200, headers, `<pre>\n${lines.join('')}</pre>\n`);
}

async function sendFile(exchange: AgentExchange, path: string, { size, mtime }: Stats): Promise<void> {
  const { request, response, method } = exchange;
  const range = parseRange(request.headers.range, size);
  if (range === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${size}`, 'Content-Type': 'text/plain; charset=utf-8' };
    return sendBody(exchange, 416, headers, 'invalid range: failed to overlap\n');
  }
  const { first, last } = range ?? { first: 0, last: size - 1 };
  response.writeHead(range === undefined ? 200 : 206, {
    'Accept-Ranges': 'bytes',
    'Content-Type': await sniffType(path),
    'Content-Length': last - first + 1,
    'Last-Modified': mtime.toUTCString(),
    ...(range === undefined ? {} : { 'Content-Range': `bytes ${first}-${last}/${size}` }),
  });
  if (method === 'HEAD' || last < first) {
    response.end();
    return;
  }
  // When the client disconnects, or the file shrinks, the connection is closed: the head was sent already.
  await pipeline(createReadStream(path, { start: first, end: last }), response).catch(() =>
    response.destroy(),
  );
}

/** One range of bytes; others, and several, stand for the whole file (RFC 7233, section 3.1). */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [from = '', to = ''] = match.slice(1);
  if (from === '') return { first: Math.max(0, size - Number(to)), last: size - 1 };
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first >= size || last < first ? 'unsatisfiable' : { first, last };
}

/** Text, unless the beginning of the file says otherwise. */
async function sniffType(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start[0] === 0x1f && start[1] === 0x8b) return 'application/x-gzip';
    return start.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  } finally {
    await file.close();
  }
}

/** An open file or folder; its descriptor refers to the same one even when its name is exchanged. */
interface OpenedPath extends AsyncDisposable {
  readonly stats: Stats;
  /** Leads to it within this process. */
  readonly link: string;
}

/**
 * Opens the file that a path below a folder leads to. Links are followed, and the file that was opened is checked:
 * undefined when it is not below the folder, or missing. Pods write into log folders, and must not be able to expose
 * files of the node.
 */
async function openBelow(folder: string, path: string): Promise<OpenedPath | undefined> {
  const handle = await open(join(folder, path), pathOnly).catch(() => undefined); // missing, or no permission
  if (handle === undefined) return undefined;
  const link = `/proc/self/fd/${handle.fd}`;
  try {
    // The path of the open file, not that of the name, which may lead elsewhere by now.
    const [place, root] = await Promise.all([readlink(link), realpath(folder)]);
    if (place === root || place.startsWith(root === '/' ? root : `${root}/`)) {
      return { stats: await handle.stat(), link, [Symbol.asyncDispose]: () => handle.close() };
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}
