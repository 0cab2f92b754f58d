import { posix } from 'node:path';
import { escapePath } from '../../../machinery/go-values/index.ts';

/** The part of a request's path that a proxy passes on. */
export interface ProxyPath {
  /** The path before it, where the proxied site is for the client; without a slash at its end. */
  readonly prefix: string;
  /** The path for the backend, still escaped: empty when the client named none, not even `/`. */
  readonly path: string;
  /** With its question mark; empty without a query. */
  readonly query: string;
}

/**
 * Takes apart the target of a request whose last `restLength` segments belong to what is proxied. Other escapes than that
 * of a slash, which splits segments too, stay as they are, and dots and double slashes are resolved, so that nobody leaves the proxied site upwards.
 */
export function proxyPath(target: string, restLength: number): ProxyPath {
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  const hasSlash = rawPath.endsWith('/');
  const parts = rawPath.split(/\/|%2f/i);
  if (hasSlash) parts.pop();
  const prefixLength = parts.length - restLength;
  const prefix = parts.slice(0, prefixLength).join('/');
  const rest = parts.slice(prefixLength);
  if (rest.length === 0) return { prefix, path: hasSlash ? '/' : '', query };
  return { prefix, path: posix.normalize(`/${rest.join('/')}${hasSlash ? '/' : ''}`), query };
}

/**
 * The same for a request that is sent to another path than its own, `requestPath`, which like the new one is decoded. As in
 * release 1.20 a slash at the end of the request stays, and the prefix is what stands before the new path, or else all.
 */
export function changedProxyPath({ query }: ProxyPath, requestPath: string, path: string): ProxyPath {
  const clean = path === '' ? '' : posix.normalize(`/${path}`);
  const changed = requestPath.endsWith('/') && !clean.endsWith('/') ? `${clean}/` : clean;
  const prefix = requestPath.endsWith(changed)
    ? requestPath.slice(0, requestPath.length - changed.length)
    : requestPath;
  return { prefix, path: escapePath(changed), query };
}
