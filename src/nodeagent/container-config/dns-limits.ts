import type { DnsConfig } from '../runtime/index.ts';
import type { ConfigNotice } from './notice.ts';

/** What resolvers of Linux heed. */
const maxServers = 3;
/** Domains that are searched at most. */
export const maxSearches = 6;
/** Characters of the line of search domains. */
export const maxSearchLength = 256;

/** A configuration that resolvers heed as a whole, and what was left out of it. */
export function limitDns(config: DnsConfig): { readonly dns: DnsConfig; readonly notices: ConfigNotice[] } {
  const notices: ConfigNotice[] = [];
  const servers = config.servers.slice(0, maxServers);
  if (servers.length < config.servers.length) {
    const limits = 'Nameserver limits were exceeded, some nameservers have been omitted';
    notices.push(forming(`${limits}, the applied nameserver line is: ${servers.join(' ')}`));
  }
  const searches = limitSearches(config.searches);
  if (searches.length < config.searches.length) {
    const limits = 'Search Line limits were exceeded, some search paths have been omitted';
    notices.push(forming(`${limits}, the applied search line is: ${searches.join(' ')}`));
  }
  return { dns: { servers, searches, options: config.options }, notices };
}

function limitSearches(searches: readonly string[]): string[] {
  const kept = searches.slice(0, maxSearches);
  let length = kept.join(' ').length;
  while (length > maxSearchLength) length -= (kept.pop()?.length ?? 0) + 1;
  return kept;
}

const forming = (message: string): ConfigNotice => ({ about: 'pod', reason: 'DNSConfigForming', message });
