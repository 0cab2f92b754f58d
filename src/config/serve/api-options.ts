import type { OptionSpec } from '../options.ts';
import { typedParsers } from '../typed-values/index.ts';
import { describeFeatureGates } from './feature-gates.ts';

const versionPattern = /^(?:[a-z][a-z\d.-]*\/)?v\d+(?:(?:alpha|beta)\d+)?(?:\/[a-z]+)?$/;

const storageVersionProblem = (entry: string): string | undefined =>
  versionPattern.test(entry)
    ? undefined
    : `${JSON.stringify(entry)} is neither group/version nor group/version/resource`;

/** Which APIs are served, and how objects are stored and addressed. */
export const apiOptions = [
  {
    name: 'runtime-config',
    type: 'mapStringString',
    loneValue: 'true',
    section: 'API',
    help: 'Turns APIs on and off: group/version=true|false, group/version/resource=..., api/all, api/ga, api/beta, api/alpha.',
  },
  {
    name: 'feature-gates',
    type: 'mapStringBool',
    section: 'API',
    help: 'Turns features on and off: Name=true|false. AllAlpha and AllBeta stand for all of a stage. Options are:',
    choices: describeFeatureGates(),
  },
  {
    name: 'service-cluster-ip-range',
    type: 'cidrs',
    parser: typedParsers.cidrs,
    default: '10.0.0.0/24',
    section: 'API',
    help: 'Networks that service addresses are taken from, at most one for each IP family; a second one needs the feature gate IPv6DualStack.',
  },
  {
    name: 'service-node-port-range',
    type: 'portRange',
    default: '30000-32767',
    section: 'API',
    help: 'Ports that services of type NodePort are given.',
  },
  {
    name: 'storage-media-type',
    type: 'string',
    default: 'application/json',
    allowed: ['application/json'],
    section: 'Storage',
    help: 'Encoding of stored objects.',
  },
  {
    name: 'storage-versions',
    type: 'strings',
    section: 'Storage',
    valueName: 'VERSIONS',
    validate: (value: readonly string[]) => value.map(storageVersionProblem).find(Boolean),
    help: 'Versions to store objects in instead of the usual ones: group/version, or group/version/resource for one resource. They must be served, and hold all that the usual version holds. Objects that are stored in other versions stay readable; a write moves them.',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    default: '5m0s',
    min: 0,
    section: 'Storage',
    help: 'How long the history of changes is kept for watches and paged lists, and how long a paged list may take; 0 forgets nothing.',
  },
  {
    name: 'history',
    type: 'duration',
    default: '0s',
    min: 0,
    section: 'Storage',
    help: 'How long earlier versions of objects can be read, for ctl log and ctl get --at; what --etcd-compaction-interval says, if that is longer. Values that were replaced take room in the store meanwhile. With etcd it is at most twice as long, and shorter where another program compacts.',
  },
  {
    name: 'history-megabytes',
    type: 'int',
    min: 1,
    section: 'Storage',
    help: 'Megabytes of values that --history may keep beyond what --etcd-compaction-interval keeps (256 when it is not set): above them the oldest are forgotten early. Not with etcd, which has limits of its own.',
  },
  {
    name: 'delete-collection-workers',
    type: 'int',
    default: 1,
    min: 1,
    section: 'Storage',
    help: 'Objects that one delete-collection request deletes at the same time.',
  },
  {
    name: 'enable-garbage-collector',
    type: 'bool',
    default: true,
    section: 'Storage',
    help: 'Honour owner references and deletion policies when objects are deleted.',
  },
  {
    name: 'enable-aggregator-routing',
    type: 'bool',
    default: false,
    section: 'Network',
    help: 'Call servers of other API groups and webhooks at the addresses behind their services, not at the cluster addresses.',
  },
] as const satisfies readonly OptionSpec[];
