/** Where a proxied site is, for its clients and for itself. */
export interface ProxiedSite {
  /** The path under which clients see it. */
  readonly prefix: string;
  /** `host:port` of the backend. */
  readonly authority: string;
  /** What the client calls this server. */
  readonly requestHost: string;
  /** `https://host:port` that rewritten links begin with; they have none when it is left out. */
  readonly origin?: string | undefined;
}

/** `scheme://host`, the path, and what follows it; every text has this form. */
const parts = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is;

/**
 * A link of a proxied site as its clients can follow it: absolute paths at the same host lead below the proxy's path.
 * Relative links and those to other hosts stay as they are. Source: release 1.20.
 */
export function rewriteLink(link: string, site: ProxiedSite): string {
  const { prefix, authority, requestHost } = site;
  const [, , host = '', path = '', tail = ''] = parts.exec(link) ?? [];
  const isElsewhere = host !== '' && host !== authority && host !== requestHost;
  if (isElsewhere || !path.startsWith('/')) return link;
  const ownOrigin =
    host !== '' && host === requestHost ? link.slice(0, link.indexOf(host) + host.length) : '';
  const origin = site.origin ?? ownOrigin;
  const isBelow = path === prefix || path.startsWith(`${prefix}/`);
  return `${origin}${isBelow ? '' : prefix}${path}${tail}`;
}
