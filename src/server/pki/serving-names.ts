import { isIP } from 'node:net';
import type { Dialect } from '../../machinery/dialect.ts';
import { isWildcard } from '../../net/addresses/index.ts';

/** Names and addresses that a serving certificate stands for, each list sorted and without repetitions. */
export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** What decides the names of the serving certificate. */
export interface ServingNameSources {
  readonly dialect: Dialect;
  /** The host's own name. */
  readonly hostName: string;
  /** Further names or addresses: bind and advertise address, external host name. */
  readonly alsoKnownAs: readonly string[];
  /** The host's addresses, when the server listens on all of them. */
  readonly hostAddresses: readonly string[];
  /** The address of the API's own service. */
  readonly firstServiceAddress?: string;
}

/** All that clients may call this server: loopback, the host, its addresses, and the API's service inside the cluster. */
export function servingNames(sources: ServingNameSources): ServingNames {
  const service = sources.dialect.spell('orch');
  const inCluster = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map(
    (suffix) => service + suffix,
  );
  const also = sources.alsoKnownAs.filter((name) => name !== '' && !isWildcard(name));
  const addresses = also.filter((name) => isIP(name) !== 0);
  const names = [...also.filter((name) => isIP(name) === 0), sources.hostName].filter(isDnsName);
  return {
    dnsNames: sorted(['localhost', ...inCluster, ...names]),
    ipAddresses: sorted([
      '127.0.0.1',
      '::1',
      ...addresses,
      ...sources.hostAddresses,
      ...(sources.firstServiceAddress === undefined ? [] : [sources.firstServiceAddress]),
    ]),
  };
}

function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    /^(?:\*\.)?[a-zA-Z\d](?:[\w-]*[a-zA-Z\d])?(?:\.[a-zA-Z\d](?:[\w-]*[a-zA-Z\d])?)*$/.test(name)
  );
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
