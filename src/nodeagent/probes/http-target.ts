import { joinHostPort } from './host-port.ts';

/** Where a request goes. */
export interface HttpTarget {
  readonly isSecure: boolean;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query, fit to be sent. */
  readonly path: string;
  /** The whole as messages have it. */
  readonly url: string;
}

/** Scheme, host (IPv6 without brackets) and port that a probe or hook asks. */
export interface HttpAddress {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
}

/** The target with a path as a pod's author wrote it; scheme and host in such a path are ignored. */
export function toHttpTarget({ isSecure, host, port }: HttpAddress, writtenPath: string): HttpTarget {
  const path = toRequestPath(writtenPath.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, ''));
  const url = `http${isSecure ? 's' : ''}://${joinHostPort(host, port)}${path}`;
  return { isSecure, host, port, path, url };
}

/** The target that a redirect names; undefined when it is no HTTP URL. */
export function toRedirectTarget(from: HttpTarget, location: string): HttpTarget | undefined {
  const base = `http${from.isSecure ? 's' : ''}://${joinHostPort(from.host, from.port)}${from.path}`;
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  const isSecure = url.protocol === 'https:';
  return {
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    url: url.href,
  };
}

/**
 * The path with a leading slash, without its fragment, and with characters that no request may contain percent-encoded.
 */
export function toRequestPath(text: string): string {
  const [path = ''] = text.split('#', 1);
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return rooted.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (character) =>
    encodeURIComponent(character.toWellFormed()),
  );
}
