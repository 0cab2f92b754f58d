import { decodeHeader } from '../../base/index.ts';
import { headerValues, peerCertificateOf, removeHeaders } from '../../net/http/index.ts';
import type { Authenticator } from './authenticator.ts';
import type { AuthorityPool } from './authority-pool.ts';
import { decodeExtraKey } from './extra-key.ts';

/** How a proxy in front of the server proves itself, and how it names the users whose requests it passes on. */
export interface RequestHeaderOptions {
  /** Who signs the certificates of proxies. */
  readonly authorities: Pick<AuthorityPool, 'trusts'>;
  /** Common names of proxies; empty: any. */
  readonly allowedNames: readonly string[];
  /** The first of these headers that says something names the user. */
  readonly usernameHeaders: readonly string[];
  /** Each value of each of these headers is a group. */
  readonly groupHeaders: readonly string[];
  /** What follows one of these in the name of a header is the key of an extra value. */
  readonly extraHeaderPrefixes: readonly string[];
  readonly nowMs: () => number;
}

/**
 * Users by the headers of an authenticating proxy, which proves itself by its client certificate. The headers are
 * removed once they are believed; of anybody else they say nothing. Source: the documentation page "Authenticating",
 * authenticating proxy.
 */
export function requestHeaderAuthenticator(options: RequestHeaderOptions): Authenticator {
  const { authorities, nowMs } = options;
  const allowedNames = new Set(options.allowedNames);
  const prefixes = options.extraHeaderPrefixes.map((prefix) => prefix.toLowerCase());
  const singles = new Set(
    [...options.usernameHeaders, ...options.groupHeaders].map((name) => name.toLowerCase()),
  );
  const isUsed = (name: string): boolean =>
    singles.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return {
    authenticate(request) {
      const certificate = peerCertificateOf(request);
      if (certificate === undefined) return undefined;
      if (!authorities.trusts(certificate, nowMs())) return 'refused';
      if (allowedNames.size > 0 && !allowedNames.has(certificate.commonName)) return 'refused';
      // Of a header that comes several times the first value counts.
      const name = options.usernameHeaders
        .map((header) => headerValues(request, header)[0] ?? '')
        .find((value) => value !== '');
      if (name === undefined) return undefined;
      const groups = options.groupHeaders
        .flatMap((header) => headerValues(request, header))
        .filter((value) => value !== '');
      const extra = readExtra(request.rawHeaders, prefixes);
      removeHeaders(request, isUsed);
      return { name, uid: '', groups, extra };
    },
  };
}

function readExtra(rawHeaders: readonly string[], prefixes: readonly string[]): Record<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] ?? '').toLowerCase();
      if (!name.startsWith(prefix)) continue;
      const key = decodeExtraKey(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), decodeHeader(rawHeaders[at + 1] ?? '')]);
    }
  }
  return Object.fromEntries(extra);
}
