import type { ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { escapePath, redirectPage } from '../../machinery/go-values/index.ts';

/** What a request asks for. */
export interface RequestPath {
  /** Decoded, as rules about paths mean it: `%65xec` is `exec`. */
  readonly path: string;
  /** With the mark before it; empty when there is none. */
  readonly query: string;
}

/** Reads the target of a request; undefined for escapes that are none. */
export function readRequestPath(url: string): RequestPath | undefined {
  const at = url.indexOf('?');
  const escaped = at < 0 ? url : url.slice(0, at);
  try {
    return { path: decodeURIComponent(escaped), query: at < 0 ? '' : url.slice(at) };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Where a request is sent that takes a roundabout way, as Go's `ServeMux` does it: empty parts, `.` and `..` go, and the path of
 * a tree gets its slash. Undefined when the path is the straight one.
 *
 * @param roots paths that end in a slash
 */
export function straightPath({ path, query }: RequestPath, roots: readonly string[]): string | undefined {
  const clean = posix.normalize(`/${path}`);
  const straight = !roots.includes(clean) && roots.includes(`${clean}/`) ? `${clean}/` : clean;
  return straight === path ? undefined : escapePath(straight) + query;
}

/** Sends whoever asked on to another path of this server. */
export function sendElsewhere(response: ServerResponse, method: string, location: string): void {
  const isRead = method === 'GET' || method === 'HEAD';
  response
    .writeHead(301, { location, ...(isRead && { 'content-type': 'text/html; charset=utf-8' }) })
    .end(method === 'GET' ? redirectPage(location) : '');
}
