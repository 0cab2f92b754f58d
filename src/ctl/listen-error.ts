import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where a server should have listened: an address, or a socket in a folder. */
export type ListenPlace =
  | { readonly network: 'tcp' | 'tcp4' | 'tcp6'; readonly host: string; readonly port: number }
  | { readonly path: string };

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
  EAFNOSUPPORT: 'address family not supported by protocol',
};

/** Why a place cannot be listened on, as the client of release 1.20 says it. */
export function describeListenError(error: unknown, place: ListenPlace): string {
  const { code = '', syscall = 'listen' } = error as NodeJS.ErrnoException; // errors of node:net carry both
  if (!('path' in place) && syscall === 'getaddrinfo')
    return `listen ${place.network}: lookup ${place.host}: no such host`;
  const call = syscall === 'listen' ? 'bind' : syscall;
  const where = 'path' in place ? `unix ${place.path}` : `${place.network} ${joinHostPort(place)}`;
  // The runtime says of a folder that is not there that it may not be entered.
  const isMissing = 'path' in place && code === 'EACCES' && !existsSync(dirname(place.path));
  return `listen ${where}: ${call}: ${isMissing ? 'no such file or directory' : (reasons[code] ?? code)}`;
}

/** `127.0.0.1:80` or `[::1]:80`. */
export function joinHostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
