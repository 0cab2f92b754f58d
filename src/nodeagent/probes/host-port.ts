import { isIPv6 } from 'node:net';

/** Host and port as release 1.20 joins them. */
export const joinHostPort = (host: string, port: number): string =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
