import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { escapeHtml, escapePath, relativeUrl } from '../../machinery/go-values/index.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Sends a file of a folder, its `index.html`, or a list of what is in it. Links out of the folder lead nowhere.
 *
 * @param path decoded
 */
export async function sendStaticFile(response: ServerResponse, folder: string, path: string): Promise<void> {
  const file = await resolveBelow(folder, path);
  const found = file === undefined ? undefined : await stat(file);
  if (file === undefined || found === undefined) return sendNotFound(response);
  if (!found.isDirectory()) return sendFile(response, file, found.size);
  const last = path.split('/').at(-1);
  // Links in a folder's page are meant from within the folder.
  if (last) return redirect(response, `./${escapePath(last)}/`);
  const index = await resolveBelow(file, 'index.html');
  if (index !== undefined) return sendFile(response, index, (await stat(index)).size);
  const entries = await readdir(file, { withFileTypes: true });
  const names = entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
  const links = names.map((name) => `<a href="${relativeUrl(name)}">${escapeHtml(name)}</a>\n`).join('');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<pre>\n${links}</pre>\n`);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, { location }).end();
}

/** As Go's file server words it. */
export const sendNotFound = (response: ServerResponse): void => sendText(response, 404, '404 page not found');

/** Sends a line that no browser takes for anything else. */
export function sendText(response: ServerResponse, code: number, text: string): void {
  response
    .writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .end(`${text}\n`);
}

/** Where a path leads; undefined when that is nowhere, or outside of the folder. */
async function resolveBelow(folder: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    return file === root || file.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) ? file : undefined;
  } catch {
    return undefined; // not there, not readable, or no name at all
  }
}

function sendFile(response: ServerResponse, file: string, size: number): void {
  const type = types[extname(file).toLowerCase()] ?? 'application/octet-stream';
  response.writeHead(200, {
    'content-type': type,
    'content-length': size,
    'x-content-type-options': 'nosniff',
  });
  const stream = createReadStream(file);
  stream.on('error', () => response.destroy());
  stream.pipe(response);
}
