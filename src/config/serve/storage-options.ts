import type { OptionSpec } from '../options.ts';
import { serverProblem } from './etcd-servers.ts';

function cacheSizeProblem(text: string): string | undefined {
  const [, size, ...more] = text.split('#');
  if (size === undefined || more.length > 0) return `invalid value of watch cache size: ${text}`;
  if (!/^[+-]?\d+$/.test(size)) return `invalid size of watch cache size: ${text}`;
  return Number(size) < 0 ? `watch cache size cannot be negative: ${text}` : undefined;
}

/** Where objects are stored when several servers share them, and what those servers agree about. */
export const storageOptions = [
  {
    name: 'storage-backend',
    type: 'string',
    allowed: ['', 'etcd3'],
    section: 'Storage',
    help: 'Protocol of --etcd-servers: etcd3 is the only one.',
  },
  {
    name: 'etcd-servers',
    type: 'strings',
    section: 'Storage',
    valueName: 'URLS',
    validate: (value: readonly string[]) => value.map(serverProblem).find(Boolean),
    help: 'Store objects in the etcd cluster of these members, as --storage=etcd:URL,URL does. Several servers may share one.',
  },
  {
    name: 'etcd-prefix',
    type: 'string',
    default: '/registry',
    section: 'Storage',
    help: 'Where all keys begin in etcd.',
  },
  {
    name: 'etcd-cafile',
    type: 'string',
    section: 'Storage',
    valueName: 'FILE',
    help: 'PEM authorities of the certificates of etcd members. By default those of the system.',
  },
  {
    name: 'etcd-certfile',
    type: 'string',
    section: 'Storage',
    valueName: 'FILE',
    help: 'PEM client certificate that is shown to etcd.',
  },
  {
    name: 'etcd-keyfile',
    type: 'string',
    section: 'Storage',
    valueName: 'FILE',
    help: 'PEM private key of --etcd-certfile.',
  },
  {
    name: 'etcd-healthcheck-timeout',
    type: 'duration',
    default: '2s',
    min: 1,
    section: 'Storage',
    help: 'How long storage may take to answer a health check.',
  },
  {
    name: 'watch-cache',
    type: 'bool',
    default: true,
    section: 'Storage',
    help: 'Answer lists of any version (resourceVersion=0) as a cache does: whole, whatever their limit. Otherwise they are read as lists without a version are.',
  },
  {
    name: 'watch-cache-sizes',
    type: 'strings',
    section: 'Storage',
    valueName: 'RESOURCE#SIZE',
    validate: (value: readonly string[]) => value.map(cacheSizeProblem).find(Boolean),
    help: 'With the size 0, --watch-cache=false for a resource (pods#0, deployments.apps#0). Other sizes have no effect.',
  },
  {
    name: 'event-ttl',
    type: 'duration',
    default: '1h0m0s',
    min: 0,
    section: 'Storage',
    help: 'How long Event objects are kept after their last change; 0 keeps them until --max-events.',
  },
  {
    name: 'max-events',
    type: 'int',
    default: 100_000,
    min: 0,
    section: 'Storage',
    help: 'Most Event objects to keep: beyond, the oldest are deleted, a few at a time. 0 is no limit.',
  },
  {
    name: 'apiserver-count',
    type: 'int',
    default: 1,
    section: 'Several servers',
    help: 'Accepted for the sake of existing command lines: servers are counted by their leases.',
  },
  {
    name: 'endpoint-reconciler-type',
    type: 'string',
    default: 'lease',
    allowed: ['lease', 'none', 'master-count'],
    section: 'Several servers',
    help: "Who keeps the addresses in the API's own endpoints: lease lists the servers that are alive, none leaves them alone, master-count is the same as lease.",
  },
  {
    name: 'identity-lease-duration-seconds',
    type: 'int',
    default: 3600,
    section: 'Several servers',
    help: 'How long the Lease of a server that gives no sign of life is kept; with the feature gate APIServerIdentity.',
  },
  {
    name: 'identity-lease-renew-interval-seconds',
    type: 'int',
    default: 10,
    section: 'Several servers',
    help: 'Time between the signs of life of a server in its Lease; with the feature gate APIServerIdentity.',
  },
  {
    name: 'leader-elect',
    type: 'bool',
    default: true,
    section: 'Several servers',
    help: 'Let the servers of one etcd agree which of them runs the controllers. Without it each runs its own.',
  },
  {
    name: 'leader-elect-lease-duration',
    type: 'duration',
    default: '15s',
    min: 1000,
    section: 'Several servers',
    help: 'How long others wait after the last sign of life of the server that runs the controllers.',
  },
  {
    name: 'leader-elect-renew-deadline',
    type: 'duration',
    default: '10s',
    min: 1,
    section: 'Several servers',
    help: 'How long the server that runs the controllers tries to give a sign of life before it stops them.',
  },
  {
    name: 'leader-elect-retry-period',
    type: 'duration',
    default: '2s',
    min: 1,
    section: 'Several servers',
    help: 'Time between tries to become, or to stay, the server that runs the controllers.',
  },
  {
    name: 'encryption-provider-config',
    type: 'string',
    section: 'Storage',
    valueName: 'FILE',
    help: 'EncryptionConfiguration that says which resources are stored encrypted, and with which keys.',
  },
  {
    name: 'experimental-encryption-provider-config',
    type: 'string',
    section: 'Storage',
    valueName: 'FILE',
    deprecated: 'use --encryption-provider-config',
    hidden: true,
    help: 'As --encryption-provider-config.',
  },
] as const satisfies readonly OptionSpec[];
