import type { DnsConfig } from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';

/** Larger files are not read. */
const maxLength = 10 * 1024 * 1024;

/**
 * Name servers, search domains and options of a `resolv.conf`. Name servers add up; of the other two the last line
 * counts. Search domains lose a final dot, so that a domain with and without it is the same.
 *
 * @throws ContainerConfigError for a name server without an address and for text of more than 10 MiB.
 */
export function parseResolvConf(text: string): DnsConfig {
  if (text.length > maxLength) throw new ContainerConfigError('resolv.conf is larger than 10 MiB');
  const servers: string[] = [];
  let searches: string[] = [];
  let options: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [keyword, ...values] = trimmed.split(/\s+/);
    if (keyword === 'nameserver') {
      // The space at the end is release 1.20's.
      if (values[0] === undefined) throw new ContainerConfigError('nameserver list is empty ');
      servers.push(values[0]);
    } else if (keyword === 'search') {
      searches = values.map((domain) => (domain.endsWith('.') ? domain.slice(0, -1) : domain));
    } else if (keyword === 'options') options = values;
  }
  return { servers, searches, options };
}
