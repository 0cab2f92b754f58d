import type { Pod, PodDNSConfig } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { DnsConfig } from '../runtime/index.ts';
import type { ConfigNotice } from './notice.ts';
import { formatPodName } from './pod-name.ts';

/** Where the names of a node's pods are looked up. */
export interface DnsSettings {
  /** Addresses of the cluster's name servers. */
  readonly clusterDns: readonly string[];
  /** Lines of the node's `resolv.conf`; undefined when the agent is told to use none, an Error when they are not known. */
  readonly resolvConf: DnsConfig | Error | undefined;
  readonly nodeIps: readonly string[];
}

/** DNS settings of the node, and the domain of the cluster. */
export interface PodDnsOptions extends DnsSettings {
  /** Empty when there is none. */
  readonly clusterDomain: string;
  readonly dialect: Dialect;
}

/** Lines of the pod's `/etc/resolv.conf`, and events to record about settings that could not be followed. */
export interface PodDns {
  readonly dns: DnsConfig;
  readonly notices: readonly ConfigNotice[];
}

const clusterOptions = ['ndots:5'];
const nothing: DnsConfig = { servers: [], searches: [], options: [] };

/**
 * What `/etc/resolv.conf` of a pod says, by its policy and its own additions, within what resolvers heed.
 *
 * @throws Error when the node's lines are not known, whatever the policy, as release 1.20's `GetPodDNS` does.
 */
export function podDns(pod: Pod, options: PodDnsOptions): PodDns {
  const { resolvConf } = options;
  if (resolvConf instanceof Error) throw resolvConf;
  const { dnsConfig } = pod.spec;
  const policy = effectivePolicy(pod);
  const isMissingCluster = policy === 'cluster' && options.clusterDns.length === 0;
  const base =
    policy === 'none'
      ? nothing
      : isMissingCluster || policy === 'node'
        ? nodeDns(resolvConf, options)
        : clusterDns(pod, resolvConf ?? nothing, options);
  const { dns, notices } = limitDns(dnsConfig ? addConfig(base, dnsConfig) : base);
  return { dns, notices: [...(isMissingCluster ? missingCluster(pod, options.dialect) : []), ...notices] };
}

/** What the user should know about the node's own search domains: with those of the cluster they may be too many. */
export function checkNodeSearches(
  { searches }: DnsConfig,
  path: string,
  clusterDomain: string,
): ConfigNotice[] {
  const most = clusterDomain === '' ? maxSearches : maxSearches - 3;
  const starts = `Resolv.conf file '${path}' contains search line`;
  const notice = (message: string): ConfigNotice[] => [
    { about: 'node', reason: 'CheckLimitsForResolvConf', message: `${starts} ${message}` },
  ];
  if (searches.length > most) return notice(`consisting of more than ${most} domains!`);
  return searches.join(' ').length > maxSearchLength
    ? notice(`which length is more than allowed ${maxSearchLength} chars!`)
    : [];
}

function effectivePolicy({ spec: { dnsPolicy, hostNetwork } }: Pod): 'none' | 'node' | 'cluster' {
  if (dnsPolicy === 'None') return 'none';
  if (dnsPolicy === 'Default') return 'node';
  return dnsPolicy === 'ClusterFirst' && hostNetwork === true ? 'node' : 'cluster';
}

function clusterDns(
  pod: Pod,
  ofNode: DnsConfig,
  { clusterDns: servers, clusterDomain }: PodDnsOptions,
): DnsConfig {
  const services = `svc.${clusterDomain}`;
  const ofCluster = [`${pod.metadata.namespace ?? ''}.${services}`, services, clusterDomain];
  const searches = clusterDomain === '' ? ofNode.searches : unique([...ofCluster, ...ofNode.searches]);
  return { servers, searches, options: clusterOptions };
}

/** Without a file only the node itself is asked; empty lists would make the runtime use its own file. */
function nodeDns(resolvConf: DnsConfig | undefined, { nodeIps }: PodDnsOptions): DnsConfig {
  if (resolvConf !== undefined) return resolvConf;
  const loopbacks = nodeIps.map((ip) => (ip.includes(':') ? '::1' : '127.0.0.1'));
  return { servers: loopbacks.length === 0 ? ['127.0.0.1'] : loopbacks, searches: ['.'], options: [] };
}

function addConfig(
  base: DnsConfig,
  { nameservers = [], searches = [], options = [] }: PodDNSConfig,
): DnsConfig {
  const merged = new Map<string, string>();
  for (const option of base.options) {
    const colon = option.indexOf(':');
    if (colon < 0) merged.set(option, '');
    else merged.set(option.slice(0, colon), option.slice(colon + 1));
  }
  for (const { name = '', value = '' } of options) merged.set(name, value);
  return {
    servers: unique([...base.servers, ...nameservers]),
    searches: unique([...base.searches, ...searches]),
    options: Array.from(merged, ([name, value]) => (value === '' ? name : `${name}:${value}`)),
  };
}

function missingCluster(pod: Pod, dialect: Dialect): ConfigNotice[] {
  const agent = dialect.spell('nodeagent');
  const message = `${agent} does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.`;
  const ofPod = `pod: ${quoteGo(formatPodName(pod))}. ${message}`;
  return [
    { about: 'node', reason: 'MissingClusterDNS', message },
    { about: 'pod', reason: 'MissingClusterDNS', message: ofPod },
  ];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** What resolvers of Linux heed. */
const maxServers = 3;
/** Domains that are searched at most. */
const maxSearches = 6;
/** Characters of the line of search domains. */
const maxSearchLength = 256;

/** A configuration that resolvers heed as a whole, and what was left out of it. */
function limitDns(config: DnsConfig): { readonly dns: DnsConfig; readonly notices: ConfigNotice[] } {
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
