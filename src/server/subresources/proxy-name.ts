import { badRequest } from '../../machinery/errors/index.ts';

/** What a proxy's path names: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`; parts left out are empty. */
export interface ProxyName {
  readonly scheme: '' | 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/** @throws StatusError 400 for another form; `what` is the kind of thing for its text. */
export function readProxyName(text: string, what: 'node' | 'pod' | 'service'): ProxyName {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  const [scheme, name, port] = parts.length === 3 ? [first, second, third] : ['', first, second];
  const isScheme = scheme === '' || scheme === 'http' || scheme === 'https';
  if (name === '' || parts.length > 3 || !isScheme) {
    throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return { scheme, name, port };
}

/** A port's number. @throws StatusError 400 for what cannot be one. */
export function readProxyPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`invalid port ${JSON.stringify(text)}`);
  return port;
}

/** The port of a scheme when none is named. */
export const standardPort = (scheme: 'http' | 'https'): number => (scheme === 'http' ? 80 : 443);
