import type { Pod } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { isDns1123Label } from '../../machinery/formats/index.ts';
import { ContainerConfigError } from './config-error.ts';

const maxHostnameLength = 63;
/** Bytes that Linux keeps of a host name. */
const maxKernelLength = 64;

/** Names of a pod among other hosts. */
export interface PodHostname {
  /** At most 63 characters, without dots unless the pod's name has some. */
  readonly hostname: string;
  /** Empty unless the pod has a subdomain. */
  readonly domain: string;
  /** What `hostname` in the pod says. */
  readonly kernelHostname: string;
}

/**
 * Host name of a pod: its own wish or its name, cut to what hosts may have.
 *
 * @throws ContainerConfigError for names that are no DNS labels, or too long with their domain.
 */
export function podHostname({ metadata, spec }: Pod, clusterDomain: string): PodHostname {
  const { hostname: wish = '', subdomain = '', setHostnameAsFQDN } = spec;
  if (wish !== '') assertLabel(wish, 'Hostname');
  if (subdomain !== '') assertLabel(subdomain, 'Subdomain');
  const hostname = cut(wish === '' ? (metadata.name ?? '') : wish, metadata.name ?? '');
  const domain = subdomain === '' ? '' : `${subdomain}.${metadata.namespace ?? ''}.svc.${clusterDomain}`;
  const isFull = domain !== '' && setHostnameAsFQDN === true;
  return { hostname, domain, kernelHostname: isFull ? joinNames(hostname, domain) : hostname };
}

function assertLabel(text: string, what: string): void {
  const problems = isDns1123Label(text);
  if (problems.length === 0) return;
  throw new ContainerConfigError(
    `pod ${what} ${quoteGo(text)} is not a valid DNS label: ${problems.join(';')}`,
  );
}

function cut(hostname: string, podName: string): string {
  if (hostname.length <= maxHostnameLength) return hostname;
  let end = maxHostnameLength;
  while (end > 0 && '-.'.includes(hostname.charAt(end - 1))) end -= 1;
  if (end > 0) return hostname.slice(0, end);
  throw new ContainerConfigError(`hostname for pod ${quoteGo(podName)} was invalid: ${quoteGo(hostname)}`);
}

function joinNames(hostname: string, domain: string): string {
  const full = `${hostname}.${domain}`;
  if (full.length <= maxKernelLength) return full;
  const starts = 'Failed to construct FQDN from pod hostname and cluster domain';
  const bounds = `${maxKernelLength} characters is the max, ${full.length} characters requested`;
  throw new ContainerConfigError(`${starts}, FQDN ${full} is too long (${bounds})`);
}
