import type { HostAlias, Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodHostname } from './pod-hostname.ts';

/** Contents of a pod's `/etc/hosts`: its own addresses and names, or the node's file. */
export interface HostsFileOptions {
  readonly podIps: readonly string[];
  readonly names: Pick<PodHostname, 'hostname' | 'domain'>;
  /** Text of the node's own file, for pods on its network. */
  readonly nodeHostsFile: string;
  readonly dialect: Dialect;
}

const wellKnown = `127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

/** Text of the file `/etc/hosts` that the agent makes for the containers of a pod. */
export function hostsFile({ spec }: Pod, options: HostsFileOptions): string {
  const title = options.dialect.spell('# Orch-managed hosts file');
  const aliases = formatAliases(spec.hostAliases ?? []);
  if (spec.hostNetwork === true) return `${title} (host network).\n${options.nodeHostsFile}${aliases}`;
  const { hostname, domain } = options.names;
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  const own = options.podIps.map((ip) => `${ip}\t${names}\n`).join('');
  return `${title}.\n${wellKnown}${own}${aliases}`;
}

function formatAliases(aliases: readonly HostAlias[]): string {
  if (aliases.length === 0) return '';
  const lines = aliases.map(({ ip = '', hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
